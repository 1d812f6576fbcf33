package io.penstock.standalone.log;

import io.penstock.broker.journal.ShardLog;
import io.penstock.broker.journal.snapshot.SnapshotCorruptException;
import io.penstock.broker.journal.snapshot.SnapshotReader;
import io.penstock.broker.shard.log.TopicRecord;
import io.penstock.broker.shard.recovery.StateImage;
import io.penstock.format.KeyText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.agrona.DirectBuffer;

/** Makes the state of a shard, compares snapshots with it on the way, and reports the differences. Used once. */
final class StateCheck {
    /** Named of each snapshot; the others are counted. */
    private static final int DIFFERENCES_MAX = 20;

    private final StateSource source;
    private final ShardLog log;
    private final PrintWriter out;

    /** Good snapshots that the state has not come to, the oldest first. */
    private final Deque<Long> snapshots = new ArrayDeque<>();

    private boolean good = true;

    StateCheck(final StateSource source, final ShardLog log, final PrintWriter out) {
        this.source = source;
        this.log = log;
        this.out = out;
    }

    /** Returns whether nothing is wrong. */
    boolean run() throws IOException {
        final long first = log.firstSequence();
        findSnapshots();
        final long after = log.beginsAfter();
        while (first > 1 && !snapshots.isEmpty() && snapshots.getFirst() < after) {
            say("snapshot at " + snapshots.removeFirst() + ": good; not compared: the log after it is gone");
        }
        try (StateImage image = source.image()) {
            make(image, first);
        } catch (final UncheckedIOException e) {
            throw e.getCause() == null ? new IOException(e) : e.getCause();
        }
        return good;
    }

    private void make(final StateImage image, final long first) throws IOException {
        long after = 0;
        if (first > 1) {
            if (snapshots.isEmpty()) {
                wrong(StateSource.noBeginning(log, first));
                return;
            }
            after = snapshots.removeFirst();
            try (SnapshotReader snapshot = log.snapshot(after)) {
                image.load(snapshot);
            }
            say("snapshot at " + after + ": good; not compared: the beginning of the log is gone");
        }
        final long last = StateSource.replay(log, image, after, sequence -> compareBefore(image, sequence));
        compareBefore(image, last + 1);
        for (final long ahead : snapshots) {
            wrong("snapshot at " + ahead + ": ahead of the log, which ends at " + last);
        }
        final long records = image.topics().stream()
                .mapToLong(StateImage.TopicSummary::recordCount)
                .sum();
        say(String.format(
                "%d topics with state, %,d records, as of %d", image.topics().size(), records, last));
        if (image.firstRefusal() != null) {
            wrong(String.format(
                    "%,d records of the log cannot be applied, the first: %s",
                    image.refusedCount(), image.firstRefusal()));
        }
    }

    private void findSnapshots() throws IOException {
        for (final long sequence : log.snapshots()) {
            try (SnapshotReader snapshot = log.snapshot(sequence)) {
                snapshot.readAll();
                snapshots.addFirst(sequence);
            } catch (final SnapshotCorruptException e) {
                wrong(String.valueOf(e.getMessage()));
            } catch (final NoSuchFileException e) {
                say("snapshot at " + sequence + ": the broker has deleted it meanwhile");
            }
        }
    }

    /** Compares the snapshots that the image has come to: those before a record. */
    private void compareBefore(final StateImage image, final long next) {
        while (!snapshots.isEmpty() && snapshots.getFirst() < next) {
            final long sequence = snapshots.removeFirst();
            try (SnapshotReader snapshot = log.snapshot(sequence)) {
                compare(image, snapshot, sequence);
            } catch (final NoSuchFileException e) {
                say("snapshot at " + sequence + ": good; not compared: the broker has deleted it meanwhile");
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void compare(final StateImage image, final SnapshotReader snapshot, final long sequence)
            throws IOException {
        final List<String> differences = new ArrayList<>();
        final long[] count = new long[1];
        image.compare(
                snapshot,
                (topic, key, what) -> {
                    if (count[0]++ < DIFFERENCES_MAX) {
                        differences.add(describe(topic, key) + ": " + what);
                    }
                },
                (publisher, what) -> {
                    if (count[0]++ < DIFFERENCES_MAX) {
                        differences.add("publisher " + publisher + ": " + what);
                    }
                });
        if (count[0] == 0) {
            say("snapshot at " + sequence + ": good, and what the log makes");
            return;
        }
        Collections.sort(differences);
        wrong(String.format(
                "snapshot at %d: %s differs from what the log makes in %,d places:",
                sequence, log.snapshotPath(sequence), count[0]));
        differences.forEach(difference -> out.println("  " + difference));
        if (count[0] > DIFFERENCES_MAX) {
            out.printf("  and %,d more%n", count[0] - DIFFERENCES_MAX);
        }
    }

    private static String describe(final TopicRecord topic, final DirectBuffer key) {
        if (key.capacity() == 0 || topic.state() == null) {
            return "topic " + topic.name();
        }
        return "topic " + topic.name() + ", key "
                + (topic.state().isPublisherKey() ? RecordLines.printable(key, 0, key.capacity()) : KeyText.of(key));
    }

    private void wrong(final String what) {
        good = false;
        say(what);
    }

    private void say(final String what) {
        out.println("shard " + log.shard() + ": " + what);
    }
}
