package io.penstock.faults;

import io.penstock.broker.journal.JournalCatalog;
import io.penstock.broker.journal.JournalCorruptException;
import io.penstock.broker.journal.LogScan;
import io.penstock.broker.journal.ShardLog;
import io.penstock.broker.shard.log.TopicRecord;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a log directory holds of the load: each publisher's messages, and the last one of each key. */
final class LogContents {
    private final List<BitSet> sequences = new ArrayList<>();
    private final Map<String, String> state = new HashMap<>();
    private long count;
    private long duplicated;
    private @Nullable String damage;
    private boolean isAltered;

    private LogContents(final int publisherCount) {
        for (int i = 0; i < publisherCount; i++) {
            sequences.add(new BitSet());
        }
    }

    /** Reads a directory; one that is damaged or missing is no exception, but holds less. */
    static LogContents read(final Path directory, final int publisherCount) throws IOException {
        final LogContents contents = new LogContents(publisherCount);
        try {
            for (final ShardLog log : JournalCatalog.open(directory.toString()).shards()) {
                try (LogScan scan = log.scan()) {
                    while (scan.next()) {
                        contents.add(scan);
                    }
                }
            }
        } catch (final JournalCorruptException | NoSuchFileException e) {
            contents.damage = contents.damage == null ? String.valueOf(e.getMessage()) : contents.damage;
        }
        return contents;
    }

    private void add(final LogScan scan) {
        final int offset = scan.offset();
        if (RecordDescriptor.type(scan.buffer(), offset) != RecordDescriptor.TYPE_MESSAGE) {
            return;
        }
        final String name = scan.names().publisher(RecordDescriptor.publisherId(scan.buffer(), offset));
        final int publisher = name == null ? -1 : LoadMessage.publisher(name);
        if (publisher < 0 || publisher >= sequences.size()) {
            return;
        }
        final String text = scan.buffer()
                .getStringWithoutLengthUtf8(
                        offset + RecordDescriptor.HEADER_LENGTH, RecordDescriptor.messageLength(scan.buffer(), offset));
        final long sequence = RecordDescriptor.publisherSequence(scan.buffer(), offset);
        if (!text.equals(LoadMessage.text(publisher, sequence))) {
            isAltered = true;
            damage = "record " + scan.sequence() + " is not what was published as " + sequence + ": " + text;
        }
        add(publisher, sequence);
        final TopicRecord topic = scan.names().topic(RecordDescriptor.topicId(scan.buffer(), offset));
        if (topic != null && topic.name().equals(LoadMessage.STATE_TOPIC)) {
            state.put(LoadMessage.key(publisher, sequence), text);
        }
    }

    private void add(final int publisher, final long sequence) {
        final BitSet seen = sequences.get(publisher);
        count++;
        if (seen.get((int) sequence)) {
            duplicated++;
        }
        seen.set((int) sequence);
    }

    /** For tests of the comparison. */
    static LogContents of(final int publisherCount, final long[]... records) {
        final LogContents contents = new LogContents(publisherCount);
        for (final long[] record : records) {
            contents.add((int) record[0], record[1]);
        }
        return contents;
    }

    /** What is wrong with the files, or null. */
    @Nullable
    String damage() {
        return damage;
    }

    /** Whether a record was taken for good that is not what was published. */
    boolean isAltered() {
        return isAltered;
    }

    /** The last message of each key of the topic with state. */
    Map<String, String> state() {
        return state;
    }

    /** Compares with what was acknowledged. A publisher's messages are a series without holes, acknowledged or not. */
    Tally compare(final Acknowledged acknowledged) {
        long lost = 0;
        for (int i = 0; i < sequences.size(); i++) {
            final BitSet seen = sequences.get(i);
            final long expected = Math.max(acknowledged.highest(i), seen.length() - 1);
            lost += expected <= 0 ? 0 : expected - (seen.cardinality() - (seen.get(0) ? 1 : 0));
        }
        return new Tally(acknowledged.count(), count, lost, duplicated);
    }
}
