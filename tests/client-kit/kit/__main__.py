"""Runs the kit: ``python3 -m kit --client NAME=COMMAND … [--report FOLDER] [--only TEXT] [--page FILE]``, in tests/client-kit."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import time
from pathlib import Path
from typing import Any, Dict, List
from xml.sax.saxutils import quoteattr

from .broker import Mismatch
from .client import ClientProcess
from .layouts import Protocol
from .script import Script, scripts_of

HERE = Path(__file__).resolve().parent.parent


def main() -> int:
    parser = argparse.ArgumentParser(prog="kit", description="Holds clients to the native protocol.")
    parser.add_argument("--client", action="append", required=True, metavar="NAME=COMMAND", help="a driver; repeatable")
    parser.add_argument("--report", type=Path, help="folder for a report of each client, as Surefire writes it")
    parser.add_argument("--only", default="", help="scripts whose file and name have this text")
    parser.add_argument("--page", type=Path, default=HERE.parent.parent / "docs" / "reference" / "protocol.md")
    parser.add_argument("--timeout", type=float, default=10.0, help="seconds: the longest wait for a step")
    given = parser.parse_args()
    protocol = Protocol(given.page)
    scripts = [script for script in all_scripts() if given.only in f"{script['file']}: {script['name']}"]
    if not scripts:
        print(f"kit: no script: {given.only} (use a part of a name)", file=sys.stderr)
        return 2
    is_good = True
    for client in given.client:
        name, equals, command = client.partition("=")
        if not equals:
            parser.error(f"--client: not NAME=COMMAND: {client}")
        is_good &= run_client(name, shlex.split(command), protocol, scripts, given)
    return 0 if is_good else 1


def all_scripts() -> List[Dict[str, Any]]:
    scripts = []
    for path in sorted((HERE / "scripts").glob("*.json")):
        for script in scripts_of(json.loads(path.read_text(encoding="utf-8")), path.name):
            scripts.append({**script, "file": path.stem})
    return scripts


def run_client(name: str, command: List[str], protocol: Protocol, scripts: List[Dict[str, Any]], given: Any) -> bool:
    client = ClientProcess(command, given.timeout)
    started_s = time.monotonic()
    failures: Dict[str, str] = {}
    cases = []
    for script in scripts:
        title = f"{script['file']}: {script['name']}"
        began_s = time.monotonic()
        if name not in script.get("not", {}):
            try:
                Script(protocol, script, client, given.timeout).run()
            except Mismatch as e:
                failures[title] = str(e)
                print(f"FAILED {name}: {title}: {e}", flush=True)
            try:
                client.reset()
            except Mismatch as e:
                failures.setdefault(title, str(e))
                client.kill()
        cases.append((title, time.monotonic() - began_s))
    client.end()
    spent_s = time.monotonic() - started_s
    skipped = {f"{script['file']}: {script['name']}": script["not"][name] for script in scripts if name in script.get("not", {})}
    passed = len(scripts) - len(failures) - len(skipped)
    print(
        f"{'ok' if not failures else 'FAILED':6} protocol kit, {name}: {passed} passed, {len(failures)} failed,"
        f" {len(skipped)} skipped ({spent_s:.0f} s)",
        flush=True,
    )
    if given.report:
        report(given.report, name, cases, failures, skipped, spent_s)
    return not failures


def report(folder: Path, name: str, cases: List[Any], failures: Dict[str, str], skipped: Dict[str, str], spent_s: float) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    suite = f"client-kit.{name}"
    lines = [
        f'<testsuite name={quoteattr(suite)} tests="{len(cases)}" errors="0" failures="{len(failures)}"'
        f' skipped="{len(skipped)}" time="{spent_s:.3f}">'
    ]
    for title, case_s in cases:
        head = f'  <testcase classname={quoteattr(suite)} name={quoteattr(title)} time="{case_s:.3f}"'
        if title in failures:
            lines.append(f"{head}><failure message={quoteattr(failures[title])}/></testcase>")
        elif title in skipped:
            lines.append(f"{head}><skipped message={quoteattr(skipped[title])}/></testcase>")
        else:
            lines.append(head + "/>")
    lines.append("</testsuite>")
    (folder / f"TEST-{suite}.xml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
