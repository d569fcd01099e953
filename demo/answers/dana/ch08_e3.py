class Stepper:
    def __init__(self, *rows):
        self.edges = {}
        for source, event, target in rows:
            self.edges.setdefault(source, {})[event] = target

    def __call__(self, state, event):
        here, name = state["state"], event["name"]
        try:
            target = self.edges[here][name]
        except KeyError:
            allowed = sorted(self.edges.get(here, ()))
            refusal = f"{name}: not from {here} (there: {allowed})"
            return dict(state=here, visited=state["visited"][:], rejected=refusal)
        return dict(state=target, visited=state["visited"] + [target], rejected=None)


step = Stepper(
    ("planning", "plan_ready", "retrieving"),
    ("planning", "out_of_scope", "refusing"),
    ("retrieving", "hits", "answering"),
    ("retrieving", "no_hits", "refusing"),
    ("answering", "answered", "done"),
    ("refusing", "refused", "done"),
)
