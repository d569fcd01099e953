# spends what is not there
def retry_budget(bucket, event, *, earn=1, cost=10, most=100):
    if event["name"] == "success":
        return {"tokens": min(most, bucket["tokens"] + earn), "allowed": None}
    if event["name"] == "failure":
        return {"tokens": bucket["tokens"] - cost, "allowed": bucket["tokens"] > 0}
    return {"tokens": bucket["tokens"], "allowed": None}


def never_recovers(load, retries, capacity):
    return load * retries > capacity
