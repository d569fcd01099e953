def retry_budget(bucket, event, *, earn=1, cost=10, most=100):
    tokens = bucket["tokens"]
    if event["name"] == "success":
        return {"tokens": min(most, tokens + earn), "allowed": None}
    if event["name"] == "failure":
        enough = tokens >= cost
        return {"tokens": tokens - cost * enough, "allowed": enough}
    return {"tokens": tokens, "allowed": None}


def never_recovers(load, retries, capacity):
    return load * (1 + retries) >= capacity
