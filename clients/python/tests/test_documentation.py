"""The examples of the documentation run as they stand, but for the endpoint."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import List

from .broker_process import TOP, BrokerTest

_EXAMPLE = re.compile(r"```python\n(.*?)```", re.DOTALL)


def examples(page: Path) -> List[str]:
    return _EXAMPLE.findall(page.read_text(encoding="utf-8"))


class DocumentationTest(BrokerTest):
    def run_example(self, example: str) -> List[str]:
        self.assertIn("tcp://127.0.0.1:9100", example)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(example.replace("tcp://127.0.0.1:9100", self.broker.endpoint), "example", "exec"), {"__name__": "example"})
        return printed.getvalue().splitlines()

    def test_should_print_what_is_expected_when_the_examples_of_the_page_run(self) -> None:
        asynchronous, blocking, encrypted, proved = examples(TOP / "docs" / "concepts" / "python.md")
        message, error = self.run_example(asynchronous)
        self.assertRegex(message, r"^trades \{'symbol': 'ACME', 'price': 12.5\} \{'region': 'EU'\} 0:\d+$")
        self.assertRegex(error, r"^BAD_FILTER BAD_FILTER: filter: expected a value")
        lines = self.run_example(blocking)
        self.assertEqual(lines[:2], ["""{"symbol":"B"} {'symbol': 'B', 'price': 9}""", """{"symbol":"A"} {'symbol': 'A', 'price': 8}"""])
        self.assertEqual([line.partition(" ")[2] for line in lines[2:5]],
            ['{"symbol":"A","price":7}', '{"symbol":"B","price":9}', '{"symbol":"A","price":8}'])  # fmt: skip
        self.assertEqual(lines[5:], ["Deleted(matches=1, deleted=1)"])
        # They need a broker elsewhere, with a certificate; the tests of TLS and of credentials have one.
        compile(encrypted, "example", "exec")
        compile(proved, "example", "exec")

    def test_should_print_the_greeting_when_the_example_of_the_readme_runs(self) -> None:
        (example,) = examples(TOP / "clients" / "python" / "README.md")
        self.assertEqual(self.run_example(example), ["{'text': 'hello'}"])
