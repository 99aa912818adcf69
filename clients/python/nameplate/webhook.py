from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import Mapping, Union, cast

from .bodies import ResolutionCompletedEvent, SignalEvent, TestEvent
from .errors import WebhookSignatureError

WebhookEvent = Union[SignalEvent, ResolutionCompletedEvent, TestEvent]

# The second is present for a day after a rotation, and is made with the previous secret.
_SIGNATURES = ("x-webhook-signature", "x-webhook-signature-previous")


def verify_webhook(
    *,
    secret: str,
    headers: Mapping[str, str],
    body: bytes | str,
    tolerance_seconds: float = 300,
    now_seconds: float | None = None,
) -> WebhookEvent:
    """Returns the event if it was signed with your secret a moment ago; raises WebhookSignatureError otherwise.

    The body is the received one: JSON that was parsed and written again has other bytes. now_seconds is for your tests.
    """
    if not secret:
        raise TypeError("Give the secret of the destination.")
    given = {name.lower(): value for name, value in headers.items()}
    timestamp = given.get("x-webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        raise WebhookSignatureError("It has no timestamp.")
    now = time.time() if now_seconds is None else now_seconds
    if abs(now - int(timestamp)) > tolerance_seconds:
        raise WebhookSignatureError(f"It was not sent within {tolerance_seconds} s of now.")
    raw = body.encode() if isinstance(body, str) else body
    expected = hmac.new(secret.encode(), timestamp.encode() + b"." + raw, hashlib.sha256).hexdigest()
    for name in _SIGNATURES:
        if hmac.compare_digest(expected.encode(), given.get(name, "").encode()):
            return cast(WebhookEvent, json.loads(raw))
    raise WebhookSignatureError("No signature fits the secret.")
