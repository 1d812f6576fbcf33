"""Publish stores in files: what they keep, and programs that are killed."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Dict, List, Tuple

from penstock import FOR_EVER, NOW, AsyncClient, FilePublishStore, PenstockError, PublishStore
from penstock.publishing import AckType, Publish

from .broker_process import JAR, AsyncTest, BrokerProcess

SOURCES = Path(__file__).resolve().parents[1] / "src"

# Publishes without waiting for acknowledgements, and prints each number when the store has it.
PROGRAM = """
import asyncio, sys
sys.path.insert(0, sys.argv[3])
from penstock import FOR_EVER, AsyncClient, FilePublishStore

async def main():
    client = await AsyncClient.connect(
        sys.argv[1], name="desk", publish_store=FilePublishStore(sys.argv[2]), reconnect_timeout_s=FOR_EVER, reconnect_delay_max_s=0.1
    )
    for i in range(1_000_000):
        await client.start_publish("killed", str(i))
        print(i, flush=True)

asyncio.run(main())
"""


def publish(sequence: int, text: str = "x", topic: str = "t") -> Publish:
    return Publish(text.encode("utf-8"), topic, sequence, AckType.PERSISTED, None)


def contents(store: PublishStore) -> List[Tuple[int, str, str]]:
    return [(each.sequence, each.topic, each.frame.decode("utf-8")) for each in store.contents()]


class FilePublishStoreTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "publishes"

    def open(self, **more: object) -> FilePublishStore:
        store = FilePublishStore(self.path, **more)  # type: ignore[arg-type]
        self.addCleanup(store.close)
        return store

    def killed(self, store: FilePublishStore) -> None:
        """As if the program had been killed: nothing is noted any more."""
        store._release()

    def test_should_keep_what_is_not_acknowledged_when_the_program_is_killed(self) -> None:
        for is_synced in (False, True):
            store = self.open(sync=is_synced)
            first = store.last_sequence
            for i in range(1, 6):
                store.add(publish(first + i, f"m{i}", "töpic"))
            store.remove(first + 1)
            store.remove(first + 3)
            store.add(publish(first + 9, "m9"))
            self.killed(store)
            again = self.open()
            kept = [(first + 2, "töpic", "m2"), (first + 4, "töpic", "m4"), (first + 5, "töpic", "m5"), (first + 9, "t", "m9")]
            self.assertEqual(contents(again), kept)
            self.assertEqual((again.last_sequence, again.length), (first + 9, 8))
            for sequence, _, _ in kept:
                again.remove(sequence)
            self.killed(again)
            empty = self.open()
            self.assertEqual((len(empty), empty.last_sequence), (0, first + 9))
            empty.close()
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o600)

    def test_should_know_its_last_sequence_when_it_was_closed_without_a_message(self) -> None:
        store = self.open()
        store.renumber(41)
        store.close()
        self.assertEqual(self.open().last_sequence, 41)

    def test_should_leave_out_the_last_message_when_it_is_not_whole(self) -> None:
        store = self.open()
        store.add(publish(1, "first"))
        end = store._end
        store.add(publish(2, "second"))
        self.killed(store)
        content = self.path.read_bytes()
        for length in range(end, len(content)):
            self.path.write_bytes(content[:length])
            if length > end:
                with self.assertLogs("penstock", "WARNING"):
                    again = self.open()
            else:
                again = self.open()
            self.assertEqual(contents(again), [(1, "t", "first")], length)
            again.add(publish(3, "third"))
            self.killed(again)
            self.assertEqual(contents(self._read_and_leave()), [(1, "t", "first"), (3, "t", "third")], length)

    def _read_and_leave(self) -> FilePublishStore:
        store = FilePublishStore(self.path)
        self.killed(store)
        return store

    def test_should_say_so_when_the_file_is_damaged(self) -> None:
        store = self.open()
        for i in range(1, 4):
            store.add(publish(i, "text"))
        last = store._end - len("text") - len("t") - 32
        self.killed(store)
        content = self.path.read_bytes()
        for at in range(last):
            damaged = bytearray(content)
            damaged[at] ^= 0x40
            self.path.write_bytes(bytes(damaged))
            with self.assertRaisesRegex(PenstockError, r"^publish store: damaged at byte \d+: .*publishes \(restore it", msg=str(at)):
                self.open()
            self.assertEqual(self.path.read_bytes(), bytes(damaged))
        self.path.write_bytes(b"")
        with self.assertRaisesRegex(PenstockError, "damaged at byte 0"):
            self.open()

    def test_should_keep_what_a_list_keeps_when_used_at_random(self) -> None:
        seed = random.randrange(1 << 30)
        chance = random.Random(seed)
        kept: Dict[int, str] = {}
        noted: Dict[int, str] = {}
        last = 0
        store = self.open(length_max=1 << 30)
        for _ in range(3_000):
            what = chance.random()
            if what < 0.5:
                last += chance.randrange(1, 3)
                kept[last] = "x" * chance.choice((0, 1, 100, 50_000))
                store.add(publish(last, kept[last]))
                # With a message it is noted what is done with in front of it.
                noted = {sequence: text for sequence, text in noted.items() if sequence >= min(kept)}
                noted[last] = kept[last]
            elif what < 0.97 and kept:
                sequence = chance.choice((min(kept), chance.choice(list(kept))))
                is_first = sequence == min(kept)
                del kept[sequence]
                store.remove(sequence)
                if not is_first or not kept:
                    noted = {each: text for each, text in noted.items() if kept and each >= min(kept) and each != sequence}
            elif what >= 0.97:
                if chance.random() < 0.5:
                    store.close()
                    noted = dict(kept)
                else:
                    self.killed(store)
                store = self.open(length_max=1 << 30)
                found = {each.sequence: each.frame.decode() for each in store.contents()}
                self.assertEqual(found.items() & kept.items(), kept.items(), f"seed {seed}")
                self.assertLessEqual(set(found), set(noted), f"seed {seed}")
                self.assertEqual(store.last_sequence, last, f"seed {seed}")
                kept, noted = dict(found), dict(found)

    def test_should_be_of_one_program_at_a_time(self) -> None:
        self.open()
        with self.assertRaisesRegex(PenstockError, r"^publish store: in use: "):
            FilePublishStore(self.path)

    def test_should_stay_short_when_much_goes_through_it(self) -> None:
        store = self.open(length_max=400_000)
        text = "x" * 10_000
        for i in range(1, 2_000):
            store.add(publish(i, text + str(i)))
            if i > 30:
                store.remove(i - 30)
            self.assertLess(self.path.stat().st_size, 2_000_000)
        self.killed(store)
        self.assertEqual([sequence for sequence, _, _ in contents(self.open())], list(range(1_969, 2_000)))

    def test_should_take_a_message_later_when_the_file_may_not_grow(self) -> None:
        store = self.open()
        store.add(publish(1, "first"))
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (store._end + 100, hard))
        try:
            with self.assertRaisesRegex(PenstockError, r"cannot be written: .*publishes: File too large \(make room"):
                store.add(publish(2, "x" * 1_000))
            self.assertEqual((len(store), store.last_sequence), (1, 1))
            store.add(publish(2, "short"))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        store.add(publish(3, "x" * 1_000))
        self.killed(store)
        self.assertEqual([sequence for sequence, _, _ in contents(self.open())], [1, 2, 3])

    def test_should_refuse_messages_when_closed(self) -> None:
        store = self.open()
        store.close()
        with self.assertRaisesRegex(PenstockError, "publish store: closed"):
            store.add(publish(1))


@unittest.skipUnless(JAR.exists(), f"no jar: {JAR}")
class KilledProgramTest(AsyncTest):
    broker: BrokerProcess

    @classmethod
    def setUpClass(cls) -> None:
        cls.broker = BrokerProcess()
        cls.addClassCleanup(cls.broker.end)

    async def test_should_apply_each_message_once_when_the_program_is_killed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "publishes"
            command = [sys.executable, "-c", PROGRAM, self.broker.endpoint, str(path), str(SOURCES)]
            program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert program.stdout is not None
            for _ in range(300):
                program.stdout.readline()
            self.broker.kill()
            for _ in range(300):
                last = program.stdout.readline()
            program.kill()
            rest = program.stdout.read().split("\n")
            program.stdout.close()
            program.wait()
            # The last line may be cut.
            stored = int(rest[-2] if len(rest) > 1 else last)
            await asyncio.get_running_loop().run_in_executor(None, self.broker.start)

            store = FilePublishStore(path)
            self.assertGreater(len(store), 200)
            options = {"reconnect_timeout_s": FOR_EVER, "request_timeout_s": 60}
            async with await AsyncClient.connect(self.broker.endpoint, name="desk", publish_store=store, **options) as client:
                ack = await client.publish("killed", '"after"')
                self.assertFalse(ack.duplicate)
                await client.flush()
                self.assertEqual(len(store), 0)
                applied = [message.text async for message in await client.replay("killed", end=NOW)]
            numbers = [int(text) for text in applied[:-1]]
            self.assertEqual(numbers, list(range(len(numbers))))
            self.assertGreater(len(numbers), stored)
            self.assertEqual(applied[-1], '"after"')


if __name__ == "__main__":
    unittest.main()
