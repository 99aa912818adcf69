"""Runs clients/scenarios.json against the service of the environment, and prints the results as JSON."""

from __future__ import annotations

import json
import os
from itertools import islice
from pathlib import Path
from typing import Any, Callable, Iterable

from nameplate import Nameplate, NameplateError, verify_webhook

Input = dict[str, Any]


def snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def to_list(items: Iterable[Any]) -> Input:
    collected = list(items)
    return {"items": collected, "count": len(collected)}


def describe_bytes(data: bytes) -> Input:
    return {"count": len(data), "starts": data[:5].decode()}


def resolve(client: Nameplate, domain: str, follow: bool = False, **options: Any) -> Input:
    if not follow:
        return client.resolve(domain, **options)
    reported: list[Any] = []
    answer = client.resolve(domain, on_progress=reported.append)
    return {"followed": len(reported) > 0, "answer": answer}


def wait_for_bulk(client: Nameplate, id: str) -> Input:
    bulk = client.bulk.wait(id, wait_seconds=60)
    counts = dict(bulk["counts"])
    return {"bulk": bulk, "countsAddUp": counts.pop("total") == sum(counts.values())}


CALLS: dict[str, Callable[..., Any]] = {
    "resolve": resolve,
    "enrich": lambda client, domain, **options: client.enrich(domain, **options),
    "enrichRow": lambda client, domain, **options: client.enrich_row(domain, **options),
    "findWebsite": lambda client, **input: client.find_website(**input),
    "evidence": lambda client, **input: client.evidence(**input),
    "history.list": lambda client, **input: to_list(client.history.list(**input)),
    "history.get": lambda client, **input: client.history.get(**input),
    "history.changes": lambda client, **input: client.history.changes(**input),
    "history.share": lambda client, **input: client.history.share(**input),
    "history.shareLinks": lambda client, **input: to_list(client.history.share_links(**input)),
    "history.revokeShareLink": lambda client, **input: client.history.revoke_share_link(**input),
    "evidenceRecord": lambda client, **input: client.evidence_record(**input),
    "evidenceDocument": lambda client, **input: describe_bytes(client.evidence_document(**input)),
    "company": lambda client, **input: client.company(**input),
    "companyGroup": lambda client, **input: client.company_group(**input),
    "filings": lambda client, **input: client.filings(**input),
    "filingDocument": lambda client, **input: describe_bytes(client.filing_document(**input)),
    "officer": lambda client, **input: client.officer(**input),
    "checkDisqualifications": lambda client, **input: client.check_disqualifications(**input),
    "searchCompanies": lambda client, take=None, **input: to_list(islice(client.search_companies(**input), take)),
    "signals": lambda client, **input: to_list(client.signals(**input)),
    "raiseTestSignal": lambda client, **input: client.raise_test_signal(**input),
    "watchlist": lambda client: to_list(client.watchlist()),
    "watch": lambda client, **input: client.watch(**input),
    "unwatch": lambda client, **input: client.unwatch(**input),
    "account": lambda client: client.account(),
    "ledger": lambda client: to_list(client.ledger()),
    "usage": lambda client: client.usage(),
    "reviews.list": lambda client, **input: to_list(client.reviews.list(**input)),
    "reviews.decide": lambda client, **input: client.reviews.decide(**input),
    "reviews.dispute": lambda client, **input: client.reviews.dispute(**input),
    "bulk.preflight": lambda client, **input: client.bulk.preflight(**input),
    "bulk.create": lambda client, **input: client.bulk.create(**input),
    "bulk.get": lambda client, **input: client.bulk.get(**input),
    "bulk.wait": wait_for_bulk,
    "bulk.results": lambda client, **input: to_list(client.bulk.results(**input)),
    "bulk.cancel": lambda client, **input: client.bulk.cancel(**input),
    "destinations.create": lambda client, **input: client.destinations.create(**input),
    "destinations.list": lambda client: to_list(client.destinations.list()),
    "destinations.test": lambda client, **input: client.destinations.test(**input),
    "destinations.replay": lambda client, **input: client.destinations.replay(**input),
    "destinations.delete": lambda client, **input: client.destinations.delete(**input),
    "verifyWebhook": lambda _client, **input: verify_webhook(**input),
}


def run_step(client: Nameplate, step: Input, stored: Input) -> Any:
    filled = {snake(name): fill(value, stored) for name, value in step.get("with", {}).items()}
    try:
        return CALLS[step["call"]](client, **filled)
    except NameplateError as error:
        seen = {
            "kind": type(error).__name__,
            "status": error.status,
            "code": error.code,
            "retryable": error.retryable,
            "fields": error.fields,
            "retryAfterSeconds": error.retry_after_seconds,
            "hasRequestId": error.request_id is not None,
        }
        return {"error": seen}


def fill(value: Any, stored: Input) -> Any:
    return stored[value[1:]] if isinstance(value, str) and value.startswith("$") else value


def look_up(answer: Any, path: str) -> Any:
    found = answer
    for part in path.split("."):
        if isinstance(found, list):
            found = len(found) if part == "#" else found[int(part)] if int(part) < len(found) else None
        else:
            found = found.get(part) if isinstance(found, dict) else None
    return found


def create_client(clients: Input, name: str) -> Nameplate:
    settings = clients[name]
    base_url = os.environ["NAMEPLATE_API_URL"]
    if "through" in settings:
        base_url = os.environ["NAMEPLATE_PROXY_URL"] + settings["through"]
    options = {snake(name): settings[name] for name in ("retriesMax", "timeoutSeconds") if name in settings}
    return Nameplate(os.environ[settings["key"]], base_url=base_url, **options)


def run_all(scenarios: Input) -> list[Input]:
    stored: Input = {}
    results = []
    for step in scenarios["steps"]:
        answer = run_step(create_client(scenarios["clients"], step.get("client", "live")), step, stored)
        for name, path in step.get("store", {}).items():
            stored[name] = look_up(answer, path)
        differences = []
        for path, value in step["expect"].items():
            expected, seen = fill(value, stored), look_up(answer, path)
            if expected != seen:
                differences.append({"path": path, "expected": expected, "seen": seen})
        results.append({"name": step["name"], "passed": not differences, "differences": differences})
    return results


if __name__ == "__main__":
    file = Path(__file__).parent.parent / "scenarios.json"
    print(json.dumps(run_all(json.loads(file.read_text(encoding="utf-8"))), indent=2))
