TRANSITIONS: dict[tuple[str, str], str] = {}
for row in """
planning   plan_ready   retrieving
planning   out_of_scope refusing
retrieving hits         answering
retrieving no_hits      refusing
answering  answered     done
refusing   refused      done
""".strip().splitlines():
    source, event, target = row.split()
    TRANSITIONS[source, event] = target
