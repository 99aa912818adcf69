"""Builds the wheel with the standard library alone, so that neither building nor installing needs a network.

A wheel is a zip file: the package, METADATA (name, version, licence …), WHEEL (the format's version) and RECORD (a hash
of every other file). pip calls `build_wheel` because pyproject.toml names this file as its build backend (PEP 517);
`python3 build_wheel.py <folder>` does the same by hand. The project's facts are read from pyproject.toml, which takes
Python 3.11 or later; the wheel itself runs from 3.9 on.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PACKAGE = "nameplate"
# A fixed time, so that the same source always gives the same bytes.
ZIP_TIME = (2020, 1, 1, 0, 0, 0)


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    """Writes the wheel into the folder and returns its file name."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    stem = f"{project['name'].replace('-', '_')}-{project['version']}"
    info = f"{stem}.dist-info"
    files = {
        **{f"{PACKAGE}/{path.name}": path.read_bytes() for path in sorted((HERE / PACKAGE).iterdir()) if path.is_file()},
        **{f"{info}/licenses/{name}": _find_above(name).read_bytes() for name in project["license-files"]},
        f"{info}/METADATA": _metadata(project).encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: nameplate\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return wheel


def _metadata(project: dict[str, Any]) -> str:
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        *(f"License-File: {name}" for name in project["license-files"]),
        f"Requires-Python: {project['requires-python']}",
        *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (HERE / project["readme"]).read_text(encoding="utf-8")


def _find_above(name: str) -> Path:
    """Returns the nearest file of this name: NOTICE of the clients, LICENSE of the checkout."""
    return next(folder / name for folder in (HERE, HERE.parent, HERE.parent.parent) if (folder / name).exists())


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    target = sys.argv[1] if len(sys.argv) > 1 else "."
    Path(target).mkdir(parents=True, exist_ok=True)
    print(Path(target) / build_wheel(target))
