"""Nameplate for Python: which UK registered company is behind this web domain?

Promises: a call waits for its answer and comes back with it or with a NameplateError; what creates or spends does so
once, however often it has to be sent.
Never does: send the key anywhere but to base_url, or wait without an end.
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
from .webhook import verify_webhook

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
    "WebhookSignatureError",
    "verify_webhook",
]
