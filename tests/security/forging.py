"""A cell after which the worker's replies are other JSON than it would say, by a seed."""

FORGING = '''
import gc, json, random
worker = next(one for one in gc.get_objects() if type(one).__name__ == "Worker")
channel = worker._channel
rng = random.Random(@SEED@)
ODD = [
    None, True, False, -1, 0, 1, 7, 10**30, 1.5, float("inf"), "", "x", "\\ud800", "\\0", "a" * 5_000, [], {}, [[]],
    {"$set": [[1], {"a": 2}]}, {"$set": [1, 1]}, {"$int": "0x" + "f" * 3_000}, {"$int": "-0x1"}, {"$float": "nan"},
    {"$opaque": "x" * 500}, {"$kind": ["x", 1]}, {"$tuple": [1, [2]]}, {"$": 0}, {"$copy": 0}, {"$x": 1},
    {"$dict": [[[1], 2], [{"$tuple": ["a", "b"]}, 3]]}, {"k" * 2_000: {"z": [None] * 300}}, [[["planning"]] * 5] * 5,
    {"value": 10.0}, {"value": {"state": "done", "visited": ["done"], "rejected": None}}, {"skipped": True},
    {"raised": ["K", "m", None]}, {"raised": [1, 2, 3]}, {"stopped": ["m", None]}, {"value": 1, "changed": [[0, 1]]},
    {"value": 1, "changed": [[7, 1]]}, {"output_type": "error", "ename": "", "evalue": "", "traceback": []},
    {"output_type": "execute_result", "execution_count": 1, "data": {"text/plain": "10.0"}, "metadata": {}},
    {"output_type": "display_data", "data": [["application/json", [1]]], "metadata": []},
]


def places(data, found):
    """Where something stands in a reply."""
    for key, item in [*data.items()] if isinstance(data, dict) else [*enumerate(data)]:
        found.append((data, key))
        if isinstance(item, dict | list):
            places(item, found)
    return found


def within(reply):
    """The answers in it, and what stands in them."""
    for answer in (*reply.get("entries", ()), *reply.get("answers", ()), reply):
        for part in ("value", "changed"):
            if isinstance(answer, dict) and part in answer:
                yield answer, part
                yield from places(answer[part], []) if isinstance(answer[part], dict | list) else ()


def forged(text):
    reply = json.loads(text)
    found = [*within(reply)] if @WITHIN@ else places(reply, [])
    for _ in range(rng.choice((0, 1, 1, 2, 5)) if found else 0):
        data, key = rng.choice(found)
        try:
            if rng.random() < 0.8: data[key] = rng.choice(ODD)
            else: del data[key]
        except LookupError: pass
    channel.send_bytes(json.dumps(reply).replace("Infinity", "1e999").encode())


channel.send_text = forged
'''
