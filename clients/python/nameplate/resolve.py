"""Calls whose answer may need a crawl first: send, wait, and return the whole answer."""

from __future__ import annotations

import time
from typing import Any, Callable, TypeVar, cast

from .bodies import CompanyResolution, PendingJob, WebsiteJob
from .errors import JobFailedError, StillRunningError
from .transport import Transport, new_idempotency_key, quote

OnProgress = Callable[[PendingJob], Any]
_Answer = TypeVar("_Answer")

# The service delays a response no longer than this.
_PREFER_SECONDS_MAX = 50
_POLL_SECONDS = 1.0


def ask_for_domain(
    transport: Transport,
    returns: type[_Answer],
    path: str,
    domain: str,
    *,
    wait_seconds: float,
    max_age_days: int | None,
    on_progress: OnProgress | None,
) -> _Answer:
    deadline = time.monotonic() + wait_seconds
    first = transport.json(
        dict,
        "POST",
        path,
        body={"domain": domain, **({} if max_age_days is None else {"max_age_days": max_age_days})},
        # A caller who wants to see progress gets the job at once.
        wait_seconds=0 if on_progress else _prefer(wait_seconds),
        idempotency_key=new_idempotency_key(),
    )
    if first["status"] == "completed":
        return cast("_Answer", first)
    # The status of a job has the same body as the answer, once the job has ended.
    return _follow_job(transport, returns, first, deadline, on_progress)


def find_website(
    transport: Transport, company_number: str, *, wait_seconds: float, refresh: bool | None
) -> CompanyResolution:
    deadline = time.monotonic() + wait_seconds
    answer = transport.json(
        CompanyResolution,
        "POST",
        "/v1/resolve/company",
        body={"company_number": company_number, **({} if refresh is None else {"refresh": refresh})},
        wait_seconds=_prefer(wait_seconds),
        idempotency_key=new_idempotency_key(),
    )
    job_id = answer["website"]["job_id"]
    if job_id is None or answer["website"]["status"] not in ("searching", "failed"):
        return answer
    answer["website"] = _follow_job(transport, WebsiteJob, {"job_id": job_id}, deadline, None)["website"]
    return answer


def _prefer(wait_seconds: float) -> int:
    return min(_PREFER_SECONDS_MAX, int(wait_seconds))


def _follow_job(
    transport: Transport,
    returns: type[_Answer],
    started: dict[str, Any],
    deadline: float,
    on_progress: OnProgress | None,
) -> _Answer:
    """Returns the answer of a job. Raises when the job fails or does not end in time."""
    job_id, job = started["job_id"], started
    while True:
        status = job.get("status")
        if status == "completed":
            return cast("_Answer", job)
        if status == "failed":
            raise JobFailedError(job)
        if status is not None and on_progress:
            on_progress(cast(PendingJob, job))
        if time.monotonic() >= deadline:
            raise StillRunningError(job_id)
        # Without a known status, the first request is sent at once.
        if status is not None:
            time.sleep(_POLL_SECONDS)
        job = transport.json(dict, "GET", f"/v1/enrich/status/{quote(job_id)}")
