"""Questions whose answer may need a site to be read first: ask, wait, and come back with the whole answer."""

from __future__ import annotations

import time
from typing import Any, Callable

from .errors import JobFailedError, StillRunningError
from .transport import Body, Transport, new_idempotency_key, quote

OnProgress = Callable[[Body], Any]

# The longest that the service keeps an answer back.
_PREFER_SECONDS_MAX = 50
_POLL_SECONDS = 1.0


def ask_for_domain(
    transport: Transport,
    path: str,
    domain: str,
    *,
    wait_seconds: float,
    max_age_days: int | None,
    on_progress: OnProgress | None,
) -> Body:
    deadline = time.monotonic() + wait_seconds

    first = transport.json(
        "POST",
        path,
        body={"domain": domain, **({} if max_age_days is None else {"max_age_days": max_age_days})},
        # A caller who wants to see progress gets the job at once.
        wait_seconds=0 if on_progress else _prefer(wait_seconds),
        idempotency_key=new_idempotency_key(),
    )
    if first["status"] == "completed":
        return first
    # The status of a job leads to the same body as the answer it stands for.
    return _follow_job(transport, first, deadline, on_progress)


def find_website(transport: Transport, company_number: str, *, wait_seconds: float, refresh: bool | None) -> Body:
    deadline = time.monotonic() + wait_seconds
    answer = transport.json(
        "POST",
        "/v1/resolve/company",
        body={"company_number": company_number, **({} if refresh is None else {"refresh": refresh})},
        wait_seconds=_prefer(wait_seconds),
        idempotency_key=new_idempotency_key(),
    )
    website = answer["website"]
    if website["job_id"] is None or website["status"] not in ("searching", "failed"):
        return answer
    ended = _follow_job(transport, {"job_id": website["job_id"]}, deadline, None)
    return {**answer, "website": ended["website"]}


def _prefer(wait_seconds: float) -> int:
    return min(_PREFER_SECONDS_MAX, int(wait_seconds))


def _follow_job(transport: Transport, started: Body, deadline: float, on_progress: OnProgress | None) -> Body:
    """What the job ended with; raises when it failed or has not ended in time."""
    job_id, job = started["job_id"], started
    while True:
        status = job.get("status")
        if status == "completed":
            return job
        if status == "failed":
            raise JobFailedError(job)
        if status is not None and on_progress:
            on_progress(job)
        if time.monotonic() >= deadline:
            raise StillRunningError(job_id)
        # The first look is at once when nothing is known of the job.
        if status is not None:
            time.sleep(_POLL_SECONDS)
        job = transport.json("GET", f"/v1/enrich/status/{quote(job_id)}")
