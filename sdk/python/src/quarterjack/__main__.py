"""``python -m quarterjack define jobs.py`` prints the jobs of a module as a manifest."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import subprocess
import sys
import types
from pathlib import Path

from ._connection import json_of
from ._jobs import jobs_in, manifest_of, registry
from .errors import QuarterjackError

_TIMEOUT = 10.0
_MAX_BYTES = 1_048_576
_HERE = "--in-this-process"


def main(given: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m quarterjack",
        description="define: print the jobs of a module as a manifest, which quarterjack deploy takes.",
        epilog="The module runs in a process that gets PATH, PYTHONPATH, TZ=UTC and --env alone.",
    )
    parser.add_argument("command", choices=["define"])
    parser.add_argument("module", help="a file such as jobs.py, or a module such as shop.jobs")
    parser.add_argument(
        "--source", help="the program that owns the jobs (default: tool.quarterjack.source of pyproject.toml)"
    )
    parser.add_argument(
        "--env",
        action="append",
        default=[],
        metavar="NAME=value",
        help="a variable for the module; repeatable",
    )
    parser.add_argument("--out", metavar="FILE", help="write the manifest to a file")
    parser.add_argument(_HERE, action="store_true", dest="here", help=argparse.SUPPRESS)
    flags = parser.parse_args(given)
    try:
        text = _define_here(flags.module, flags.source) if flags.here else _define(flags)
    except QuarterjackError as error:
        print(f"quarterjack: {flags.module}: {error}", file=sys.stderr)
        return 3
    if flags.out:
        Path(flags.out).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


def _define(flags: argparse.Namespace) -> str:
    """By a process without credentials: what a module does when it is imported stays there."""
    wrong = [one for one in flags.env if "=" not in one]
    if wrong:
        raise QuarterjackError(f"--env is {wrong[0]!r}; expected NAME=value")
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "SYSTEMROOT") if name in os.environ}
    env = {**kept, "TZ": "UTC", "QUARTERJACK_DEFINE": "1", **dict(one.split("=", 1) for one in flags.env)}
    source = [] if flags.source is None else ["--source", flags.source]
    command = [sys.executable, "-m", "quarterjack", "define", flags.module, *source, _HERE]
    try:
        child = subprocess.run(command, env=env, stdout=subprocess.PIPE, timeout=_TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        raise QuarterjackError(f"it did not end within {_TIMEOUT:g} s") from None
    if child.returncode != 0:
        sys.exit(child.returncode)
    if len(child.stdout) > _MAX_BYTES:
        raise QuarterjackError(f"its definitions have more than {_MAX_BYTES} bytes")
    return child.stdout.decode()


def _define_here(module: str, source: str | None) -> str:
    sys.stdout.flush()
    out = os.dup(1)
    os.dup2(2, 1)  # what the module prints is none of the manifest
    try:
        loaded = _load(module)
        exported = {name: value for name, value in vars(loaded).items() if not name.startswith("_")}
        jobs = jobs_in(exported)
        hidden = sorted({one.id for one in registry} - set(jobs))
        if hidden:
            print(
                f"quarterjack: {module} does not export, so they do not count: {', '.join(hidden)}",
                file=sys.stderr,
            )
        manifest = manifest_of(jobs, source or _source_of(loaded))
        text = json.dumps(json.loads(json_of(manifest)), indent=2, ensure_ascii=False) + "\n"
    finally:
        sys.stdout.flush()
        os.dup2(out, 1)
    return text


def _load(module: str) -> types.ModuleType:
    sys.path.insert(0, os.getcwd())
    try:
        if not module.endswith(".py"):
            return importlib.import_module(module)
        path = Path(module).resolve()
        sys.path.insert(0, str(path.parent))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        if spec is None or spec.loader is None or not path.exists():
            raise QuarterjackError("there is no such file")
        loaded = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
        return loaded
    except QuarterjackError:
        raise
    except Exception as error:
        raise QuarterjackError(f"it cannot be imported: {type(error).__name__}: {error}") from error


def _source_of(module: types.ModuleType) -> str | None:
    """``tool.quarterjack.source`` of the nearest pyproject.toml. Python 3.10 cannot read it."""
    try:
        import tomllib  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return None
    for folder in Path(module.__file__ or "").resolve().parents:
        if (folder / "pyproject.toml").exists():
            with open(folder / "pyproject.toml", "rb") as file:
                own = tomllib.load(file).get("tool", {}).get("quarterjack", {})
            source = own.get("source")
            return source if isinstance(source, str) else None
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
