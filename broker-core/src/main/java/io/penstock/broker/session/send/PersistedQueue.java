package io.penstock.broker.session.send;

import io.penstock.broker.journal.JournalStatus;
import io.penstock.broker.shard.ShardPort;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import org.agrona.BitUtil;

/**
 * A client's publishes that are processed and wait to be on stable storage, in order. Confined to the client's I/O
 * agent; grows only for clients that ask, and bounded by the {@link AckQueue} that it belongs to.
 */
final class PersistedQueue {
    private static final int ENTRY_COUNT_INITIAL = 16;
    private static final int FIELD_COUNT = 6;
    private static final int COMMAND_ID = 0;
    private static final int PUBLISHER_SEQUENCE = 1;
    private static final int PORT = 2;
    private static final int POSITION = 3;
    private static final int DUPLICATE = 4;
    private static final int SEQUENCE = 5;

    private long[] entries = new long[0];
    private int mask = -1;
    private int head;
    private int count;

    int count() {
        return count;
    }

    /** Adds the newest of some publishes that were processed by a port. */
    void add(
            final long commandId,
            final long publisherSequence,
            final ShardPort port,
            final long sequence,
            final boolean isDuplicate) {
        if (count > mask) {
            grow();
        }
        final int at = ((head + count) & mask) * FIELD_COUNT;
        entries[at + COMMAND_ID] = commandId;
        entries[at + PUBLISHER_SEQUENCE] = publisherSequence;
        entries[at + PORT] = port.shard();
        entries[at + POSITION] = port.publishedPosition();
        entries[at + DUPLICATE] = isDuplicate ? 1 : 0;
        entries[at + SEQUENCE] = sequence;
        count++;
    }

    /**
     * Sends what is due, together: one acknowledgement for all of a shard that are durable, one for those of them that were
     * dropped, one error for all whose log has failed.
     *
     * @return the number of entries done.
     */
    int drain(final ShardPort[] ports, final Answers answers, final Outbox outbox) {
        int done = 0;
        while (count > 0 && outbox.hasRoom()) {
            final boolean failed = isFailed(ports, head);
            if (!failed && !isDurable(ports, head)) {
                break;
            }
            int last = head;
            while (count > 1
                    && (failed || isAlike(head, (last + 1) & mask))
                    && isFailed(ports, (last + 1) & mask) == failed
                    && (failed || isDurable(ports, (last + 1) & mask))) {
                last = (last + 1) & mask;
                count--;
                done++;
            }
            final long commandId = entries[last * FIELD_COUNT + COMMAND_ID];
            final long publisherSequence = entries[last * FIELD_COUNT + PUBLISHER_SEQUENCE];
            if (failed) {
                answers.error(
                        outbox,
                        commandId,
                        0,
                        publisherSequence,
                        ErrorCode.JOURNAL_FAILED,
                        false,
                        "publish: the broker's disk has failed; this and earlier messages that were not acknowledged as"
                                + " persisted may be lost (publish them again when the broker was restarted)");
            } else {
                answers.publishAck(
                        outbox,
                        commandId,
                        publisherSequence,
                        AckType.PERSISTED,
                        entries[last * FIELD_COUNT + DUPLICATE] != 0,
                        (int) entries[last * FIELD_COUNT + PORT],
                        entries[last * FIELD_COUNT + SEQUENCE]);
            }
            head = (last + 1) & mask;
            count--;
            done++;
        }
        return done;
    }

    private boolean isAlike(final int one, final int other) {
        return entries[one * FIELD_COUNT + DUPLICATE] == entries[other * FIELD_COUNT + DUPLICATE]
                && entries[one * FIELD_COUNT + PORT] == entries[other * FIELD_COUNT + PORT];
    }

    private boolean isDurable(final ShardPort[] ports, final int index) {
        final int at = index * FIELD_COUNT;
        return ports[(int) entries[at + PORT]].durablePosition() >= entries[at + POSITION];
    }

    private boolean isFailed(final ShardPort[] ports, final int index) {
        return ports[(int) entries[index * FIELD_COUNT + PORT]].journalStatus() == JournalStatus.FAILED
                && !isDurable(ports, index);
    }

    private void grow() {
        final int capacity =
                entries.length == 0 ? ENTRY_COUNT_INITIAL : BitUtil.findNextPositivePowerOfTwo((mask + 1) * 2);
        final long[] more = new long[capacity * FIELD_COUNT];
        for (int i = 0; i < count; i++) {
            System.arraycopy(entries, ((head + i) & mask) * FIELD_COUNT, more, i * FIELD_COUNT, FIELD_COUNT);
        }
        entries = more;
        mask = capacity - 1;
        head = 0;
    }
}
