"""Nameplate for Python: which UK registered company is behind this web domain?

Promises: a call waits for its answer and returns it, or raises a NameplateError; a call that creates or spends something
does so once, however often it is sent.
Never does: send the key anywhere but to base_url, or wait without an end.
The types of results are in `nameplate.bodies`.
"""

from .client import Nameplate
from .errors import (
    AuthenticationError,
    ConnectionError,
    InsufficientCreditsError,
    InvalidRequestError,
    JobFailedError,
    NameplateError,
    NotFoundError,
    RateLimitedError,
    StillRunningError,
    WebhookSignatureError,
)
from .webhook import WebhookEvent, verify_webhook

__all__ = [
    "AuthenticationError",
    "ConnectionError",
    "InsufficientCreditsError",
    "InvalidRequestError",
    "JobFailedError",
    "Nameplate",
    "NameplateError",
    "NotFoundError",
    "RateLimitedError",
    "StillRunningError",
    "WebhookEvent",
    "WebhookSignatureError",
    "verify_webhook",
]
