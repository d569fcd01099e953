# the row for 'no_hits' is missing
TRANSITIONS: dict[tuple[str, str], str] = {
    ("planning", "plan_ready"): "retrieving",
    ("planning", "out_of_scope"): "refusing",
    ("retrieving", "hits"): "answering",
    ("answering", "answered"): "done",
    ("refusing", "refused"): "done",
}
