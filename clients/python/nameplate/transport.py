from __future__ import annotations

import builtins
import http.client
import json
import os
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Callable, Iterator, Mapping, TypeVar, cast

from .errors import ConnectionError, NameplateError, to_error

_Body = TypeVar("_Body")
_Result = TypeVar("_Result")

_BACKOFF_SECONDS = 0.5
_BACKOFF_MAX_SECONDS = 8.0
# A longer wait is the caller's decision: the error is raised with its retry_after_seconds.
_RETRY_AFTER_MAX_SECONDS = 60
# The service goes on with a request whose connection broke; its answer is awaited as long as the service may work.
_IN_USE_RETRIES_MAX = 45
# No list of the service has more pages.
_PAGES_MAX = 10_000


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Keeps the key with this service: a redirect is not followed."""

    def redirect_request(self, *_args: Any) -> None:
        return None


def new_idempotency_key() -> str:
    return str(uuid.uuid4())


def quote(part: str) -> str:
    return urllib.parse.quote(part, safe="")


class Transport:
    """Sends requests, and repeats those that are safe to repeat and may succeed."""

    def __init__(
        self, *, api_key: str | None, base_url: str | None, timeout_seconds: float, retries_max: int
    ) -> None:
        self._api_key = api_key or _read_environment("NAMEPLATE_API_KEY", "api_key")
        self._base_url = (base_url or _read_environment("NAMEPLATE_API_URL", "base_url")).rstrip("/")
        self._timeout_seconds = timeout_seconds
        self._retries_max = retries_max
        self._opener = urllib.request.build_opener(_NoRedirects)

    def json(self, returns: type[_Body], method: str, path: str, **options: Any) -> _Body:
        """Returns the body, typed as `returns`. The options are those of `_try`, and `repeatable`."""
        return cast("_Body", self._send(method, path, _read_json, **options))

    def bytes(self, method: str, path: str, **options: Any) -> builtins.bytes:
        """Returns the body as it is."""
        return self._send(method, path, _read_bytes, **options)

    def lines(self, returns: type[_Body], path: str, **options: Any) -> Iterator[_Body]:
        """Yields a JSON document for each line, as they arrive."""
        response = self._send("GET", path, _keep_open, **options)
        with response:
            for line in response:
                yield json.loads(line)

    def items(
        self, returns: type[_Body], path: str, query: Mapping[str, Any], pages_max: int = _PAGES_MAX
    ) -> Iterator[_Body]:
        """Yields every item of a list. The next page is fetched only when its first item is needed."""
        position: dict[str, Any] = {"page": 1}
        for _ in range(pages_max):
            page = self.json(dict, "GET", path, query={**query, **position})
            yield from page["data"]
            if not page["has_more"]:
                return
            cursor = page.get("next_cursor")
            position = {"cursor": cursor} if cursor else {"page": page["page"] + 1}

    def _send(
        self, method: str, path: str, read: Callable[[Any], _Result], *, repeatable: bool = True, **options: Any
    ) -> _Result:
        failures = in_use = 0
        while True:
            try:
                return self._try(method, path, read, **options)
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
        accept: str = "application/json",
        wait_seconds: int = 0,
        idempotency_key: str | None = None,
    ) -> _Result:
        headers = {"Accept": accept, "X-API-Key": self._api_key}
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
        return self._open(request, read, self._timeout_seconds + wait_seconds)

    def _open(
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


def _read_json(response: Any) -> Any:
    return json.loads(response.read())


def _read_bytes(response: Any) -> bytes:
    with response:
        return cast("bytes", response.read())


def _keep_open(response: Any) -> Any:
    return response


def _to_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_worth_repeating(error: NameplateError, repeatable: bool) -> bool:
    if not error.retryable or (error.retry_after_seconds or 0) > _RETRY_AFTER_MAX_SECONDS:
        return False
    return repeatable or error.status == 429


def _delay_seconds(error: NameplateError, failures: int) -> float:
    """Adds jitter, so that clients that were refused together do not return together."""
    if error.retry_after_seconds is not None:
        return error.retry_after_seconds + random.random() * _BACKOFF_SECONDS
    backoff: float = _BACKOFF_SECONDS * 2 ** (failures - 1)
    return min(_BACKOFF_MAX_SECONDS, backoff) * (0.5 + random.random() / 2)


def _read_environment(variable: str, argument: str) -> str:
    value = os.environ.get(variable)
    if not value:
        raise TypeError(f"Give {argument}, or set {variable} in the environment.")
    return value
