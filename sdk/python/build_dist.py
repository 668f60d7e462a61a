"""Builds the wheel and the sdist of this folder: ``python3 build_dist.py --out DIR``.

It is also the build backend of ``pyproject.toml``, so ``pip install`` takes the sdist. The standard library
has all that it needs: PEP 427 (wheels), PEP 625 (names of sdists), PEP 517 (backends). The same sources make
the same bytes.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
PACKAGE = ROOT / "src" / "quarterjack"
_INIT = (PACKAGE / "__init__.py").read_text("utf-8")
VERSION = re.findall(r'__version__ = "([^"]+)"', _INIT)[0]
NAME = f"quarterjack-{VERSION}"
TAG = "py3-none-any"
TIME = (2026, 1, 1, 0, 0, 0)
SECONDS = 1767225600
"""The same instant since 1970: the age of a file is no part of what it contains."""


def metadata() -> bytes:
    lines = [
        "Metadata-Version: 2.1",
        "Name: quarterjack",
        f"Version: {VERSION}",
        "Summary: SDK of Quarterjack, a serverless distributed job scheduler for AWS",
        "License: Apache-2.0",
        "Requires-Python: >=3.10",
        "Classifier: License :: OSI Approved :: Apache Software License",
        "Classifier: Programming Language :: Python :: 3",
        "Classifier: Typing :: Typed",
        "Description-Content-Type: text/markdown",
        "",
        (ROOT / "README.md").read_text("utf-8"),
    ]
    return "\n".join(lines).encode()


def license_text() -> bytes:
    """Of the sdist, or of the repository."""
    places = [ROOT / "LICENSE", ROOT.parents[1] / "LICENSE"]
    return next(place for place in places if place.exists()).read_bytes()


def sources() -> dict[str, bytes]:
    """The files of the package by their paths."""
    files = [path for path in sorted(PACKAGE.iterdir()) if path.suffix == ".py" or path.name == "py.typed"]
    return {f"quarterjack/{path.name}": path.read_bytes() for path in files}


def write_wheel(folder: Path) -> str:
    info = f"{NAME}.dist-info"
    about = f"Wheel-Version: 1.0\nGenerator: build_dist.py\nRoot-Is-Purelib: true\nTag: {TAG}\n"
    files = sources()
    files[f"{info}/LICENSE"] = license_text()
    files[f"{info}/METADATA"] = metadata()
    files[f"{info}/WHEEL"] = about.encode()
    record = [f"{path},sha256={digest(data)},{len(data)}\n" for path, data in files.items()]
    files[f"{info}/RECORD"] = "".join([*record, f"{info}/RECORD,,\n"]).encode()
    name = f"{NAME}-{TAG}.whl"
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, TIME)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
            wheel.writestr(entry, data)
    return name


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def write_sdist(folder: Path) -> str:
    files = {f"src/{path}": data for path, data in sources().items()}
    for name in ("README.md", "build_dist.py", "pyproject.toml"):
        files[name] = (ROOT / name).read_bytes()
    files["LICENSE"] = license_text()
    files["PKG-INFO"] = metadata()
    name = f"{NAME}.tar.gz"
    with open(folder / name, "wb") as raw, gzip.GzipFile("", "wb", mtime=SECONDS, fileobj=raw) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path in sorted(files):
                entry = tarfile.TarInfo(f"{NAME}/{path}")
                entry.size, entry.mtime, entry.mode = len(files[path]), SECONDS, 0o644
                archive.addfile(entry, io.BytesIO(files[path]))
    return name


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    """For pip, by PEP 517."""
    return write_wheel(Path(wheel_directory))


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """For pip, by PEP 517."""
    return write_sdist(Path(sdist_directory))


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the wheel and the sdist of the SDK for Python.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder (default: dist)")
    folder: Path = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    for write in (write_wheel, write_sdist):
        print(folder / write(folder))


if __name__ == "__main__":
    main()
