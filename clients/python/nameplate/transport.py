from __future__ import annotations

import http.client
import json
import os
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Callable, Iterator, Mapping, TypeVar

from .errors import ConnectionError, NameplateError, to_error

Body = dict[str, Any]
_Result = TypeVar("_Result")

_BACKOFF_SECONDS = 0.5
_BACKOFF_MAX_SECONDS = 8.0
# Whoever is told to come back later than this is told so.
_RETRY_AFTER_MAX_SECONDS = 60
# The first try goes on after its connection broke; its answer is waited for as long as the service would work on it.
_IN_USE_RETRIES_MAX = 45
# The last page of anything that the service counts.
_PAGES_MAX = 10_000


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The key is for this service alone, wherever an answer may point."""

    def redirect_request(self, *_args: Any) -> None:
        return None


def new_idempotency_key() -> str:
    return str(uuid.uuid4())


def quote(part: str) -> str:
    return urllib.parse.quote(part, safe="")


class Transport:
    """Sends requests, and sends them again where that is safe and may help."""

    def __init__(
        self, *, api_key: str | None, base_url: str | None, timeout_seconds: float, retries_max: int
    ) -> None:
        self._api_key = api_key or _read_environment("NAMEPLATE_API_KEY", "api_key")
        self._base_url = (base_url or _read_environment("NAMEPLATE_API_URL", "base_url")).rstrip("/")
        self._timeout_seconds = timeout_seconds
        self._retries_max = retries_max
        self._opener = urllib.request.build_opener(_NoRedirects)

    def json(self, method: str, path: str, **wish: Any) -> Body:
        """Takes what `lines` takes."""
        return self._send(method, path, lambda response: json.loads(response.read()), **wish)

    def lines(self, method: str, path: str, **wish: Any) -> Iterator[Body]:
        """A JSON document for each line, read as they arrive."""
        response = self._send(method, path, lambda response: response, **wish)
        with response:
            for line in response:
                yield json.loads(line)

    def items(self, path: str, query: Mapping[str, Any], pages_max: int = _PAGES_MAX) -> Iterator[Body]:
        """Every item of a list, a page at a time and only as far as it is asked for."""
        place: dict[str, Any] = {"page": 1}
        for _ in range(pages_max):
            page = self.json("GET", path, query={**query, **place})
            yield from page["data"]
            if not page["has_more"]:
                return
            cursor = page.get("next_cursor")
            place = {"cursor": cursor} if cursor else {"page": page["page"] + 1}

    def _send(
        self, method: str, path: str, read: Callable[[Any], _Result], *, repeatable: bool = True, **wish: Any
    ) -> _Result:
        failures = in_use = 0
        while True:
            try:
                return self._try(method, path, read, **wish)
            except NameplateError as error:
                if not _is_worth_repeating(error, repeatable):
                    raise
                if error.code == "idempotency_key_in_use":
                    in_use += 1
                else:
                    failures += 1
                if failures > self._retries_max or in_use > _IN_USE_RETRIES_MAX:
                    raise
                time.sleep(_delay_seconds(error, failures))

    def _try(
        self,
        method: str,
        path: str,
        read: Callable[[Any], _Result],
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        csv: str | None = None,
        wait_seconds: int = 0,
        idempotency_key: str | None = None,
    ) -> _Result:
        headers = {"Accept": "application/json", "X-API-Key": self._api_key}
        if wait_seconds > 0:
            headers["Prefer"] = f"wait={wait_seconds}"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        data = None
        if csv is not None:
            data, headers["Content-Type"] = csv.encode(), "text/csv"
        elif body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        request = urllib.request.Request(self._url_of(path, query), data=data, headers=headers, method=method)
        return self._exchange(request, read, self._timeout_seconds + wait_seconds)

    def _exchange(
        self, request: urllib.request.Request, read: Callable[[Any], _Result], timeout_seconds: float
    ) -> _Result:
        try:
            return read(self._opener.open(request, timeout=timeout_seconds))
        except urllib.error.HTTPError as refused:
            with refused:
                raise to_error(refused.code, refused.read(), refused.headers.get("Retry-After")) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ConnectionError(f"No answer from {self._base_url}: {error}.") from error

    def _url_of(self, path: str, query: Mapping[str, Any] | None) -> str:
        given = {name: _to_text(value) for name, value in (query or {}).items() if value is not None}
        return self._base_url + path + (f"?{urllib.parse.urlencode(given)}" if given else "")


def _to_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_worth_repeating(error: NameplateError, repeatable: bool) -> bool:
    if not error.retryable or (error.retry_after_seconds or 0) > _RETRY_AFTER_MAX_SECONDS:
        return False
    return repeatable or error.status == 429


def _delay_seconds(error: NameplateError, failures: int) -> float:
    """With jitter, so that those who were refused together do not come back together."""
    if error.retry_after_seconds is not None:
        return error.retry_after_seconds + random.random() * _BACKOFF_SECONDS
    return min(_BACKOFF_MAX_SECONDS, _BACKOFF_SECONDS * 2 ** (failures - 1)) * (0.5 + random.random() / 2)


def _read_environment(variable: str, argument: str) -> str:
    value = os.environ.get(variable)
    if not value:
        raise TypeError(f"Give {argument}, or set {variable} in the environment.")
    return value
