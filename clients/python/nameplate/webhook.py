from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import Any, Mapping

from .errors import WebhookSignatureError

# The second is there for a day after a rotation, and fits the secret from before.
_SIGNATURES = ("x-webhook-signature", "x-webhook-signature-previous")


def verify_webhook(
    *,
    secret: str,
    headers: Mapping[str, str],
    body: bytes | str,
    tolerance_seconds: float = 300,
    now_seconds: float | None = None,
) -> dict[str, Any]:
    """The event, if it was signed with your secret a moment ago; raises WebhookSignatureError otherwise.

    The body is what came: JSON that was parsed and written again is other bytes. now_seconds is for tests of your own.
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
            return json.loads(raw)
    raise WebhookSignatureError("No signature fits the secret.")
