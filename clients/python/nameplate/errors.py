from __future__ import annotations

import json
import time
from email.utils import parsedate_to_datetime
from typing import Any


class NameplateError(Exception):
    """The base of every error that this client raises."""

    def __init__(
        self,
        detail: str,
        *,
        status: int = 0,
        code: str,
        request_id: str | None = None,
        retryable: bool = False,
        fields: list[dict[str, str]] | None = None,
        candidates: list[dict[str, Any]] | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        """What happened and what to do about it."""
        self.status = status
        """The status of the HTTP response; 0 without one."""
        self.code = code
        """Stable: branch on this."""
        self.request_id = request_id
        """Identifies the request: name it when you ask for support."""
        self.retryable = retryable
        """True when the same call may succeed later."""
        self.fields = fields or []
        """For invalid input: each member that is wrong."""
        self.candidates = candidates or []
        """For company_not_found: companies that may have been meant."""
        self.retry_after_seconds = retry_after_seconds


class AuthenticationError(NameplateError):
    """The key is missing, wrong or replaced."""


class InsufficientCreditsError(NameplateError):
    """No credit is left; nothing was started."""


class RateLimitedError(NameplateError):
    """More requests than the plan allows, also after the retries."""


class NotFoundError(NameplateError):
    """There is no such thing, or it is not yours."""


class InvalidRequestError(NameplateError):
    """The input is wrong: fields says where."""


class ConnectionError(NameplateError):
    """No answer came, also after the retries."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail, code="connection_failed", retryable=True)


class StillRunningError(NameplateError):
    """The given time is over and the site is still being read. Asking again later costs nothing more."""

    def __init__(self, job_id: str) -> None:
        detail = f"The job {job_id} is still running. Ask again in a while, or wait longer."
        super().__init__(detail, code="still_running", retryable=True)
        self.job_id = job_id


class JobFailedError(NameplateError):
    """The job failed. Nothing was charged."""

    def __init__(self, job: dict[str, Any]) -> None:
        super().__init__(job.get("error_message") or "The job failed.", code="job_failed", retryable=True)
        self.job_id: str = job["job_id"]


class WebhookSignatureError(NameplateError):
    """The request is not a webhook of the service, or it is too old."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail, code="invalid_signature")


_CLASSES: dict[int, type[NameplateError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    404: NotFoundError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitedError,
}

# Statuses of proxies while a service restarts.
_TEMPORARY = {429, 502, 503, 504}


def to_error(status: int, text: bytes, retry_after: str | None) -> NameplateError:
    """Returns the error for a response; a proxy's response has no body of the service."""
    body = _parse_body(text)
    cls = _CLASSES.get(status, NameplateError)
    if body.get("code") == "insufficient_credits":
        cls = InsufficientCreditsError
    return cls(
        body.get("detail") or f"The service answered with status {status}.",
        status=status,
        code=body.get("code") or "unexpected_answer",
        request_id=body.get("request_id"),
        retryable=body.get("retryable", status in _TEMPORARY),
        fields=body.get("errors"),
        candidates=body.get("candidates"),
        retry_after_seconds=_parse_retry_after(retry_after),
    )


def _parse_body(text: bytes) -> dict[str, Any]:
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) and "code" in body else {}


def _parse_retry_after(header: str | None) -> float | None:
    """Seconds or a date (RFC 9110 10.2.3)."""
    if header is None:
        return None
    if header.isdecimal():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
