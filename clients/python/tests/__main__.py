"""Runs all tests, and writes a report as Surefire does: ``python3 -m tests [--report FOLDER] [NAME …]``."""

from __future__ import annotations

import argparse
import sys
import time
import unittest
from pathlib import Path
from typing import Any, List, Tuple
from xml.sax.saxutils import quoteattr

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "src"))

SUITE = "clients.python"


class _Result(unittest.TextTestResult):
    """Also keeps how long each test took."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.cases: List[Tuple[str, float]] = []
        self._began_s = 0.0

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self._began_s = time.monotonic()

    def stopTest(self, test: unittest.TestCase) -> None:
        self.cases.append((test.id(), time.monotonic() - self._began_s))
        super().stopTest(test)

    def names(self) -> List[str]:
        """All tests; a class that could not be set up is one."""
        others = [test.id() for test, _ in self.failures + self.errors + self.skipped]
        return list(dict.fromkeys([name for name, _ in self.cases] + others))


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests")
    parser.add_argument("--report", type=Path)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("names", nargs="*", help="tests, for example tests.test_state")
    given = parser.parse_args()
    loader = unittest.TestLoader()
    top = str(HERE.parent)
    suite = loader.loadTestsFromNames(given.names) if given.names else loader.discover(str(HERE), top_level_dir=top)
    began_s = time.monotonic()
    runner = unittest.TextTestRunner(stream=sys.stderr, verbosity=2 if given.verbose else 1, resultclass=_Result)
    result = runner.run(suite)
    assert isinstance(result, _Result)
    spent_s = time.monotonic() - began_s
    failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    passed = len(result.names()) - failed - skipped
    word = "ok" if result.wasSuccessful() else "FAILED"
    version = ".".join(map(str, sys.version_info[:3]))
    print(f"{word:6} Python client on {version}: {passed} passed, {failed} failed, {skipped} skipped ({spent_s:.0f} s)")
    if given.report:
        report(given.report, result, spent_s)
    return 0 if result.wasSuccessful() else 1


def report(folder: Path, result: _Result, spent_s: float) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    failures = {test.id(): text for test, text in result.failures + result.errors}
    skipped = {test.id(): reason for test, reason in result.skipped}
    spent = dict(result.cases)
    lines = [
        f'<testsuite name={quoteattr(SUITE)} tests="{len(result.names())}" errors="0" failures="{len(failures)}"'
        f' skipped="{len(skipped)}" time="{spent_s:.3f}">'
    ]
    for name in result.names():
        class_name, _, test_name = name.rpartition(".")
        head = f'  <testcase classname={quoteattr(class_name)} name={quoteattr(test_name)} time="{spent.get(name, 0):.3f}"'
        if name in failures:
            lines.append(f"{head}><failure message={quoteattr(failures[name][-2000:])}/></testcase>")
        elif name in skipped:
            lines.append(f"{head}><skipped message={quoteattr(skipped[name])}/></testcase>")
        else:
            lines.append(head + "/>")
    lines.append("</testsuite>")
    (folder / f"TEST-{SUITE}.xml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
