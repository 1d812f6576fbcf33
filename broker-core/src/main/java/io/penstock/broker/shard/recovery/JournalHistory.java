package io.penstock.broker.shard.recovery;

import static io.penstock.protocol.RecordDescriptor.TYPE_MESSAGE;

import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.journal.JournalReader;
import io.penstock.broker.monitor.ShardInfo;
import io.penstock.broker.shard.state.MessageHistory;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * The messages that a shard's files have of earlier runs. Files before those that are needed are not read, which the time of
 * the messages says, or counting them from the newest file back. Used by the thread that starts the broker.
 */
public final class JournalHistory implements MessageHistory {
    private final JournalFiles files;
    private final long lastSequence;

    /**
     * Makes the history.
     *
     * @param files        of the shard.
     * @param lastSequence of the records that a start has read; 0 for none.
     */
    public JournalHistory(final JournalFiles files, final long lastSequence) {
        this.files = files;
        this.lastSequence = lastSequence;
    }

    @Override
    public void forEach(final int topicId, final long sinceNs, final long count, final Handler handler) {
        if (lastSequence == 0 || files.count() == 0) {
            return;
        }
        try {
            final long since =
                    Math.max(files.firstSequence(), sinceNs == Long.MIN_VALUE ? 0 : files.sequenceBefore(sinceNs));
            final long first = Math.max(
                    since, count == Long.MAX_VALUE ? since : firstOfLast(topicId, sinceNs, count, since, handler));
            // What comes after a message counts as taken at its time at least, also where the clock was put back.
            final boolean[] isAfterFirst = {false};
            read(first, lastSequence, (record, offset) -> {
                if (isMessage(record, offset, topicId)
                        && (isAfterFirst[0] || RecordDescriptor.timestampNs(record, offset) > sinceNs)) {
                    isAfterFirst[0] = isAfterFirst[0] || handler.matches(record, offset);
                    handler.onMessage(record, offset);
                }
            });
        } catch (final IOException e) {
            throw new UncheckedIOException(
                    "messages for its window cannot be read: " + e.getMessage()
                            + " (mend the files, or take the view out of the configuration)",
                    e);
        }
    }

    /**
     * The first sequence of a file from which on there are as many messages that match, or of the first file. Files before
     * a sequence are not read.
     */
    private long firstOfLast(
            final int topicId, final long sinceNs, final long count, final long since, final Handler handler)
            throws IOException {
        final List<ShardInfo.File> present = files.describe();
        final long[] left = {count};
        long end = lastSequence;
        for (int i = present.size() - 1; i > 0 && left[0] > 0 && end >= since; i--) {
            final long first = present.get(i).firstSequence();
            read(first, end, (record, offset) -> {
                if (isMessage(record, offset, topicId)
                        && RecordDescriptor.timestampNs(record, offset) > sinceNs
                        && handler.matches(record, offset)) {
                    left[0]--;
                }
            });
            end = Math.min(end, first - 1);
            if (left[0] <= 0) {
                return first;
            }
        }
        return files.firstSequence();
    }

    private static boolean isMessage(final DirectBuffer record, final int offset, final int topicId) {
        return RecordDescriptor.type(record, offset) == TYPE_MESSAGE
                && RecordDescriptor.topicId(record, offset) == topicId;
    }

    private void read(final long first, final long last, final Records to) throws IOException {
        if (first > last) {
            return;
        }
        try (JournalReader reader = new JournalReader(files, JournalReader.BUFFER_LENGTH_DEFAULT)) {
            reader.seek(first);
            while (reader.next(last)) {
                to.onRecord(reader.buffer(), reader.offset());
            }
        }
    }

    /** Takes records. */
    @FunctionalInterface
    private interface Records {
        void onRecord(DirectBuffer record, int offset);
    }
}
