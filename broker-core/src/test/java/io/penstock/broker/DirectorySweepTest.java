package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.storage.DiskStorage;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SowRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every file of a killed broker's directory, in every way that it may be spoilt: a broker starts with all that was
 * acknowledged, or refuses and names a file. It never starts with less.
 */
@Timeout(7200)
class DirectorySweepTest {
    private static final int FILE_LENGTH = 64 * 1024;
    private static final int COUNT = 1_500;
    private static final int KEY_COUNT = 70;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(FileSweep.Spoil.class)
    void shouldStartWithAllOrNameAFile(final FileSweep.Spoil spoil) throws IOException {
        final FileSweep sweep = new FileSweep(
                folder,
                writeALog("log"),
                spoil == FileSweep.Spoil.FOREIGN ? writeALog("other") : null,
                file -> !file.endsWith("penstock.lock"));
        assertThat(sweep.count()).isGreaterThan(8);

        assertThat(sweep.run(spoil, this::open)).isEmpty();
    }

    private Path writeALog(final String name) throws IOException {
        final Path source = folder.resolve(name + "-source");
        final Path kept = folder.resolve(name);
        try (TestBroker test = start(source, null, name.charAt(0))) {
            final RawClient publisher = test.logOn("publisher");
            for (int i = 0; i < COUNT; i++) {
                test.publish(publisher, "t", "{\"n\":" + i + ",\"pad\":\"" + "x".repeat(80) + "\"}");
                if (i % 10 == 0) {
                    test.publish(publisher, "k", row(name, i));
                }
                if (i % 700 == 699) {
                    test.flush(publisher);
                    test.settle();
                    final long taken = test.broker.counter("snapshots");
                    test.broker.snapshot();
                    test.await(() -> test.broker.counter("snapshots") > taken);
                }
            }
            test.flush(publisher);
            test.settle();
            // As a kill leaves it: everything was acknowledged, and nothing is closed.
            FileSweep.copy(source, kept);
        }
        return kept;
    }

    private static String row(final String name, final int i) {
        return "{\"id\":" + i / 10 % KEY_COUNT + ",\"n\":" + i + ",\"of\":\"" + name.charAt(0) + "\"}";
    }

    /** What the state has at the end. */
    private List<String> rows() {
        final TreeSet<String> rows = new TreeSet<>();
        for (int i = COUNT - 10 * KEY_COUNT; i < COUNT; i += 10) {
            rows.add(row("log", i));
        }
        return List.copyOf(rows);
    }

    private @Nullable String open(final Path present, final FileSweep.@Nullable Denial denial)
            throws FileSweep.Refused {
        try (TestBroker test = start(present, denial, 1_000)) {
            test.takeErrors();
            final RawClient client = test.logOn("reader");
            client.subscribeFrom(2, 7, ReplayRequest.topic("t").from(LogPlace.BEGINNING));
            test.settle();
            final List<Integer> found = client.deliveries.stream()
                    .map(delivery -> new String(delivery.payload(), UTF_8))
                    .map(text -> Integer.valueOf(text.substring(5, text.indexOf(','))))
                    .toList();
            final List<String> state = new StateClient(test)
                    .sow(SowRequest.topic("k")).stream().sorted().toList();
            test.takeErrors();
            if (!found.equals(IntStream.range(0, COUNT).boxed().toList())) {
                return found.size() + " of " + COUNT + " " + client.errors;
            }
            return state.equals(rows()) ? null : "another state: " + state;
        } catch (final UncheckedIOException e) {
            throw new FileSweep.Refused(e);
        }
    }

    /** The time distinguishes the log of one broker from another's. */
    private static TestBroker start(final Path present, final FileSweep.@Nullable Denial denial, final long timeNs) {
        return new TestBroker(builder -> builder.journal(JournalConfig.in(present.toString())
                        .withFileLength(FILE_LENGTH)
                        .withOnSnapshotDamage(JournalConfig.OnSnapshotDamage.OLDER))
                .epochClock(() -> timeNs)
                .storage(path -> FileSweep.denied(DiskStorage.open(path), denial))
                .topic(TopicConfig.topic("t", "json"))
                .topic(TopicConfig.keyed("k", "json", "id")));
    }
}
