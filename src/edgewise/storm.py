"""Retry storms: the law that says when a fleet cannot recover, a budget against them, and a simulation of both.

The simulation counts in ticks. In each tick, in this order:

1. arrivals: `load` new requests are sent;
2. retries: the clients send again what they decided to send again by now;
3. service: the server takes up to `capacity` attempts from its queue, the oldest first. Taken within
   `timeout` ticks of being sent, an attempt succeeds; taken later, the work is done for nobody;
4. timeouts: clients give up on attempts that have waited `timeout` ticks, and decide whether to try again.
   The server does not hear of it: the attempt stays in its queue.

The server stops for a while, and works again. Everything else follows.

Sources: Bronson et al., HotOS 2021, and Huang et al., OSDI 2022 (failures that outlive their trigger);
Google SRE book, "Addressing Cascading Failures" (budget, queues, deadlines); Brooker 2022, "What is backoff
for?" and "Fixing retries with token buckets and circuit breakers"; AWS Architecture Blog 2015 (jitter).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any


def never_recovers(load: float, retries: int, capacity: float) -> bool:
    """Whether clients that retry `retries` times keep a server down for good once it has been down long enough.

    While everything fails, one request costs 1 + `retries` attempts. When those alone fill the server, no
    answer comes in time any more, and so everything goes on failing.
    """
    return load * (1 + retries) >= capacity


def retry_budget(
    bucket: Mapping[str, Any], event: Mapping[str, Any], *, earn: int = 1, cost: int = 10, most: int = 100
) -> dict[str, Any]:
    """The token bucket after `event`, a new dict: `{"tokens": int, "allowed": bool or None}`.

    An event named "success" earns `earn` tokens, up to `most`. One named "failure" asks for a retry: with
    `cost` tokens or more it pays them and is allowed, else it is not. Any other event changes nothing.
    With 1 earned and 10 paid, retries stay near a tenth of the successes.
    """
    tokens, name = bucket["tokens"], event["name"]
    if name == "success":
        return {"tokens": min(most, tokens + earn), "allowed": None}
    if name == "failure":
        allowed = tokens >= cost
        return {"tokens": tokens - cost if allowed else tokens, "allowed": allowed}
    return {"tokens": tokens, "allowed": None}


@dataclass(frozen=True, slots=True)
class Policy:
    """What clients and server do about failure. By default: no retry, and a queue without end, oldest first.

    The clients: `retries` after the first attempt; `backoff_ticks` to wait before the first retry, doubled
    for each further one; with `jitter`, any wait from 0 to that is as likely; `budget_tokens` is the size of
    the fleet's bucket (see `retry_budget`), None for no budget; with `breaker`, no retry while fewer than half
    of the last ten ticks' outcomes were good.
    The server: `queue_limit` attempts may wait, the next are turned away at once; with `drops_expired`, work
    that nobody waits for any more is put aside at no cost; with `newest_first`, the queue is a stack.
    """

    retries: int = 0
    backoff_ticks: int = 0
    jitter: bool = False
    budget_tokens: int | None = None
    breaker: bool = False
    queue_limit: int | None = None
    drops_expired: bool = False
    newest_first: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Run:
    """What happened, tick by tick: attempts sent, requests answered in time, attempts waiting at the tick's end."""

    load: int
    attempts: tuple[int, ...]
    goodput: tuple[int, ...]
    queue: tuple[int, ...]

    @property
    def recovered_at(self) -> int | None:
        """The first tick from which every request is answered in time again; None if that never came."""
        bad = [tick for tick, answered in enumerate(self.goodput) if answered < self.load]
        after = bad[-1] + 1 if bad else 0
        return after if after < len(self.goodput) else None

    @property
    def peak(self) -> float:
        """The most attempts in one tick, as a multiple of the load."""
        return max(self.attempts) / self.load

    @property
    def total_work(self) -> float:
        """All attempts of the run, as a multiple of all requests."""
        return sum(self.attempts) / (self.load * len(self.attempts))

    def __repr__(self) -> str:
        end = f"not recovered after {len(self.goodput)} ticks"
        if self.recovered_at is not None:
            end = f"recovered, from tick {self.recovered_at} on"
        return f"{end}; peak {self.peak:.1f} times the load; total work {self.total_work:.2f} times the requests"


def simulate(
    policy: Policy,
    *,
    load: int = 80,
    capacity: int = 100,
    timeout: int = 5,
    stop: int = 20,
    stop_at: int = 100,
    ticks: int = 1000,
    rng: Random | None = None,
) -> Run:
    """The run of `ticks` ticks in which the server stops for `stop` of them, from tick `stop_at` on.

    `rng` draws the waits of a policy with jitter; left out, it is seeded, so that each run gives the same.
    """
    clients = _Clients(policy, rng or Random(8))
    server = _Server(policy, timeout)
    attempts, goodput, queue = [], [], []
    for tick in range(ticks):
        batches = [_Batch(tick, 0, load), *clients.due(tick)]
        attempts.append(sum(batch.size for batch in batches))
        rejected = server.admit(batches)
        answered = server.serve(tick, 0 if stop_at <= tick < stop_at + stop else capacity)
        clients.decide(tick, answered, rejected + server.timed_out(tick))
        goodput.append(answered)
        queue.append(server.length)
    return Run(load, tuple(attempts), tuple(goodput), tuple(queue))


@dataclass(slots=True)
class _Batch:
    """Attempts sent in one tick that are each their request's attempt number `attempt` (0 is the first)."""

    sent: int
    attempt: int
    size: int


_Failures = list[tuple[int, int]]
"""Pairs: attempt number, how many attempts of that number failed."""


class _Server:
    """A queue, and the deadlines that it does not know of."""

    def __init__(self, policy: Policy, timeout: int) -> None:
        self.policy, self.timeout, self.length = policy, timeout, 0
        self.queue: deque[_Batch] = deque()
        self.sent: dict[int, list[_Batch]] = defaultdict(list)

    def admit(self, batches: list[_Batch]) -> _Failures:
        """Queue the batches, as far as there is room; return what was turned away."""
        limit = self.policy.queue_limit
        rejected = []
        for batch in batches:
            room = batch.size if limit is None else max(0, min(batch.size, limit - self.length))
            if room < batch.size:
                rejected.append((batch.attempt, batch.size - room))
                batch.size = room
            self.queue.append(batch)
            self.sent[batch.sent].append(batch)
            self.length += room
        return rejected

    def serve(self, tick: int, capacity: int) -> int:
        """Do up to `capacity` attempts' work; return how many of them somebody still waited for."""
        answered = 0
        while self.queue and capacity:
            batch = self.queue[-1 if self.policy.newest_first else 0]
            late = tick - batch.sent > self.timeout
            free = late and self.policy.drops_expired
            taken = batch.size if free else min(batch.size, capacity)
            batch.size -= taken
            self.length -= taken
            capacity -= 0 if free else taken
            answered += 0 if late else taken
            if not batch.size:
                self.queue.pop() if self.policy.newest_first else self.queue.popleft()
        return answered

    def timed_out(self, tick: int) -> _Failures:
        """What clients give up on now; it stays in the queue."""
        return [(batch.attempt, batch.size) for batch in self.sent.pop(tick - self.timeout, []) if batch.size]


class _Clients:
    """Who tries what again, and when."""

    def __init__(self, policy: Policy, rng: Random) -> None:
        self.policy, self.rng = policy, rng
        self.planned: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        self.bucket: dict[str, Any] = {"tokens": policy.budget_tokens, "allowed": None}
        self.outcomes: deque[tuple[int, int]] = deque(maxlen=10)

    def due(self, tick: int) -> list[_Batch]:
        """The retries to be sent in this tick."""
        return [_Batch(tick, attempt, size) for attempt, size in sorted(self.planned.pop(tick, {}).items())]

    def decide(self, tick: int, answered: int, failures: _Failures) -> None:
        """Take note of the tick's outcomes, and plan the retries that the policy allows."""
        self.outcomes.append((answered, sum(size for _, size in failures)))
        self._record("success", answered)
        for attempt, size in failures:
            if attempt < self.policy.retries and not self._open():
                for wait, number in self._waits(attempt, self._record("failure", size)).items():
                    self.planned[tick + 1 + wait][attempt + 1] += number

    def _record(self, name: str, size: int) -> int:
        """How many of `size` events with that name the budget allows; all, if there is no budget."""
        if self.policy.budget_tokens is None:
            return size
        allowed = 0
        for _ in range(size):
            self.bucket = retry_budget(self.bucket, {"name": name}, most=self.policy.budget_tokens)
            allowed += self.bucket["allowed"] is True
        return allowed

    def _open(self) -> bool:
        """Whether the breaker holds retries back."""
        good, bad = map(sum, zip(*self.outcomes, strict=True))
        return self.policy.breaker and good < bad

    def _waits(self, attempt: int, size: int) -> dict[int, int]:
        """How many of `size` retries wait how many ticks."""
        longest = self.policy.backoff_ticks * 2**attempt
        if not self.policy.jitter:
            return {longest: size}
        waits: dict[int, int] = defaultdict(int)
        possible, draw = longest + 1, self.rng.getrandbits
        bits = possible.bit_length()
        for _ in range(size):  # the same waits as from rng.randint(0, longest), at a quarter of its cost
            wait = draw(bits)
            while wait >= possible:
                wait = draw(bits)
            waits[wait] += 1
        return waits
