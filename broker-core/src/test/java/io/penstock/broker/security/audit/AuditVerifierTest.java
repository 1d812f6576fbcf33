package io.penstock.broker.security.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.event.EventHandler;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.security.audit.AuditVerifier.Verdict;
import io.penstock.broker.storage.DiskStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No entry is changed, taken out, put in or moved without a trace. */
class AuditVerifierTest {
    private static final int ENTRY_COUNT = 4;

    private final CachedNanoClock clock = new CachedNanoClock();

    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        write(1 << 20, ENTRY_COUNT);
    }

    @Test
    void shouldFindNothingWhenNothingWasDone() throws IOException {
        final Verdict verdict = verify();

        assertThat(verdict.problem()).isNull();
        assertThat(verdict.remarks()).isEmpty();
        assertThat(verdict.entryCount()).isEqualTo(ENTRY_COUNT);
        assertThat(verdict.sequence()).isEqualTo(ENTRY_COUNT);
        assertThat(verdict.hash()).hasSize(64);
    }

    @Test
    void shouldNameTheEntryWhenAnyBitIsAnother() throws IOException {
        final Path file = files().get(0);
        final byte[] whole = Files.readAllBytes(file);
        final long[] begin = new long[ENTRY_COUNT + 1];
        for (int i = 0, line = 0; i < whole.length; i++) {
            if (whole[i] == '\n') {
                begin[++line] = i + 1L;
            }
        }
        for (int at = 0, line = 1; at < whole.length; at++) {
            if (at == begin[line]) {
                line++;
            }
            final byte[] changed = whole.clone();
            changed[at] ^= (byte) (1 << at % 8);
            Files.write(file, changed);
            final Verdict verdict = verify();

            assertThat(verdict.sequence()).as("byte %d", at).isEqualTo(line - 1);
            if (at < whole.length - 1) {
                assertThat(verdict.problem())
                        .as("byte %d", at)
                        .contains(line == 1 ? "the first entry" : "entry " + line);
            } else {
                // The end of the last line: what comes is not written yet, for all that can be seen.
                assertThat(verdict.remarks()).hasSize(1);
            }
        }
    }

    @Test
    void shouldNameTheNextEntryWhenOneWasTakenOutOrMovedOrPutInTwice() throws IOException {
        final Path file = files().get(0);
        final List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < ENTRY_COUNT - 1; i++) {
            final List<String> less = new ArrayList<>(lines);
            less.remove(i);
            write(file, less);
            if (i == 0) {
                assertThat(verify().problem())
                        .contains("line 1: entry 2 is not the first, with which the first file begins");
            } else {
                assertThat(verify().problem()).contains("entry " + (i + 2) + " comes after entry " + i);
            }
            final List<String> swapped = new ArrayList<>(lines);
            Collections.swap(swapped, i, i + 1);
            write(file, swapped);
            assertThat(verify().problem()).isNotNull();
            final List<String> twice = new ArrayList<>(lines);
            twice.add(i, lines.get(i));
            write(file, twice);
            assertThat(verify().problem()).contains("entry " + (i + 1) + " comes after entry " + (i + 1));
        }
    }

    @Test
    void shouldFindTheReplacedEntryWhenItsOwnHashFits() throws IOException {
        final Path file = files().get(0);
        final List<String> lines = Files.readAllLines(file);
        final AuditLine second =
                Objects.requireNonNull(AuditLine.parse(lines.get(1).getBytes(UTF_8)));
        lines.set(1, AuditLine.text(entry("another story"), 2, second.previous()));
        write(file, lines);

        assertThat(verify().problem()).contains("line 3: entry 3 does not follow entry 2");
    }

    @Test
    void shouldFindThatAFileIsMissingWhenThereAreMany() throws IOException {
        write(4096, 60);
        final List<Path> files = files();
        assertThat(files).hasSizeGreaterThan(3);
        assertThat(verify().problem()).isNull();
        Files.delete(files.get(2));

        assertThat(verify().problem()).contains(files.get(3).getFileName() + ", line 1: entry ");
    }

    @Test
    void shouldFindThatTheBeginningIsMissingWhenFilesWereEmptiedRenamedOrCut() throws IOException {
        final Path first = files().get(0);
        final Path second = first.resolveSibling("audit-0000000002.jsonl");
        Files.move(first, second);
        assertThat(verify().problem()).contains("entry 1 is the first one, but stands in another file");
        Files.move(second, first);
        Files.write(first, new byte[0]);
        assertThat(verify().problem()).contains("audit-0000000001.jsonl: the first entry is not here");

        write(4096, 60);
        assertThat(verify().problem()).isNull();
        Files.write(first, new byte[0]);
        assertThat(verify().problem()).contains("entries before it are missing");
        Files.delete(first);
        assertThat(verify().problem()).isNull();
        assertThat(verify().remarks()).singleElement().asString().contains("those before it are not here");
        final List<Path> files = files();
        Files.write(files.get(files.size() - 1), new byte[0]);
        assertThat(verify().problem()).isNull();
        assertThat(verify().remarks()).last().asString().contains("has no entry, as of a crash");
    }

    @Test
    void shouldGoOnInAnotherFileWhenTheOneItWritesWasReplacedCutOrRemoved() throws IOException {
        for (final String how : List.of("replaced", "emptied", "longer", "removed")) {
            for (final Path each : files()) {
                Files.delete(each);
            }
            final List<String> events = new ArrayList<>();
            final Path file = folder.resolve(AuditFiles.name(1));
            final BrokerCounters counters = new BrokerCounters(4);
            final EventLog log = new EventLog(
                    event -> events.add(String.valueOf(event.kind())),
                    clock,
                    clock::nanoTime,
                    counters.newCounter("broker", "eventsSuppressed"));
            try (Audit audit = Audit.open(
                    storage(),
                    new AuditSettings(1 << 20, 100, 100, false),
                    new Audit.Clocks(clock, clock::nanoTime),
                    log,
                    counters)) {
                record(audit, 3);
                final byte[] written = Files.readAllBytes(file);
                switch (how) {
                    case "replaced" -> {
                        Files.delete(file);
                        // Another file first, so that the system does not give the same number again.
                        Files.createFile(folder.resolve("other"));
                        Files.write(file, written);
                        Files.delete(folder.resolve("other"));
                    }
                    case "emptied" -> Files.write(file, new byte[0]);
                    case "longer" -> Files.write(file, "x\n".getBytes(UTF_8), StandardOpenOption.APPEND);
                    default -> Files.delete(file);
                }
                record(audit, 2);
            }
            log.finish();

            assertThat(events).as(how).containsOnlyOnce("audit.fileChanged");
            assertThat(Files.readAllLines(folder.resolve(AuditFiles.name(2))))
                    .as(how)
                    .hasSize(3)
                    .first()
                    .asString()
                    .contains("\"kind\":\"fileChanged\"")
                    .contains("\"seq\":4,");
            // What was only put in the place of the same bytes has lost nothing.
            assertThat(verify().problem() == null).as(how).isEqualTo(how.equals("replaced") || how.equals("removed"));
        }
    }

    private static void record(final Audit audit, final int count) {
        for (int i = 0; i < count; i++) {
            audit.trail().record(AuditKind.ADMINISTRATION, AuditClient.BROKER, false, 0, "what " + i, "why");
        }
        audit.write();
    }

    @Test
    void shouldReadOneFileWhenItIsAskedFor() throws IOException {
        write(4096, 60);
        final String name = String.valueOf(files().get(1).getFileName());
        final List<String> entries = new ArrayList<>();
        final Verdict verdict = AuditVerifier.verify(storage(), name, entries::add);

        assertThat(verdict.problem()).isNull();
        assertThat(entries).hasSize((int) verdict.entryCount()).allMatch(entry -> entry.endsWith("\"}"));
    }

    @Test
    void shouldNotTakeATornTailForWholeWhenEntriesFollowIt() throws IOException {
        final Path file = files().get(0);
        final byte[] whole = Files.readAllBytes(file);
        for (int cut = 1; cut < whole.length; cut += 37) {
            Files.write(file, Arrays.copyOf(whole, whole.length - cut));
            final long kept = verify().entryCount();
            write(1 << 20, 1);
            final Verdict verdict = verify();

            assertThat(verdict.problem()).as("cut %d", cut).isNull();
            assertThat(verdict.sequence()).as("cut %d", cut).isEqualTo(kept + (isTorn(whole, cut) ? 2 : 1));
            final List<Path> files = files();
            if (files.size() > 1) {
                // Without what tells of the crash it is damage.
                final List<String> second = Files.readAllLines(files.get(1));
                write(files.get(1), second.subList(1, second.size()));
                assertThat(verify().problem()).as("cut %d", cut).isNotNull();
                Files.delete(files.get(1));
            }
        }
    }

    private static boolean isTorn(final byte[] whole, final int cut) {
        return whole.length > cut && whole[whole.length - cut - 1] != '\n';
    }

    @Test
    void shouldKeepTextsOfClientsInTheirPlaceWhenTheyLookLikeEntries() throws IOException {
        final String nasty = "\",\"kind\":\"started\"}\n{\"seq\":9}\u0000\u202e\ud800" + "x".repeat(5_000);
        final String text = AuditLine.text(
                new AuditEntry(7, AuditKind.REFUSED, true, 3, new AuditClient("i", nasty, nasty, nasty), nasty, nasty),
                12,
                AuditLine.NO_HASH);
        final AuditLine line = Objects.requireNonNull(AuditLine.parse(text.getBytes(UTF_8)));

        assertThat(line.kind()).isEqualTo("refused");
        assertThat(line.sequence()).isEqualTo(12);
        assertThat(line.count()).isEqualTo(3);
        assertThat(text).doesNotContain("\n").hasSizeLessThan(AuditLine.LENGTH_MAX);
        assertThat(AuditLine.parse(new byte[0])).isNull();
        assertThat(AuditLine.parse(text.substring(1).getBytes(UTF_8))).isNull();
    }

    @Test
    void shouldGiveUpOnALineWithoutAnEndWhenItIsLongerThanAnyEntry() throws IOException {
        final byte[] endless = new byte[3 * AuditLine.LENGTH_MAX];
        Arrays.fill(endless, (byte) 'x');
        endless[endless.length - 1] = '\n';
        Files.write(files().get(0), endless);

        assertThat(verify().problem()).contains("the first entry is not as it was written");
    }

    private void write(final int fileLength, final int count) throws IOException {
        final BrokerCounters counters = new BrokerCounters(4);
        final EventLog events = new EventLog(
                EventHandler.NONE, clock, clock::nanoTime, counters.newCounter("broker", "eventsSuppressed"));
        try (Audit audit = Audit.open(
                storage(),
                new AuditSettings(fileLength, 100, 100, false),
                new Audit.Clocks(clock, clock::nanoTime),
                events,
                counters)) {
            for (int i = 0; i < count; i++) {
                audit.trail().record(AuditKind.ADMINISTRATION, AuditClient.BROKER, false, 0, "what " + i, "why");
            }
        }
    }

    private static AuditEntry entry(final String what) {
        return new AuditEntry(0, AuditKind.STARTED, false, 0, AuditClient.BROKER, what, "");
    }

    private static void write(final Path file, final List<String> lines) throws IOException {
        Files.writeString(file, String.join("\n", lines) + "\n");
    }

    private DiskStorage storage() throws IOException {
        return DiskStorage.open(folder.toString());
    }

    private Verdict verify() throws IOException {
        return AuditVerifier.verify(storage(), entry -> {});
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.sorted().toList();
        }
    }
}
