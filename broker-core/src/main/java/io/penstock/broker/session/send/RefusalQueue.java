package io.penstock.broker.session.send;

import io.penstock.broker.shard.state.StateRefusal;
import java.util.Arrays;

/**
 * Messages of one client that a sequencer has refused and that the client has not been notified of yet, in order. Bounded by
 * what the client has submitted: it is not read while there are any. Confined to the client's I/O agent.
 */
public final class RefusalQueue {
    private static final int FIELD_COUNT = 6;
    private static final int COMMAND_ID = 0;
    private static final int PUBLISHER_SEQUENCE = 1;
    private static final int TOPIC = 2;
    private static final int REASON = 3;
    private static final int USED = 4;
    private static final int LIMIT = 5;
    private static final int LENGTH_INITIAL = 16 * FIELD_COUNT;
    private static final int LENGTH_KEPT = 1024 * FIELD_COUNT;

    private long[] entries = new long[0];
    private int head;
    private int tail;

    /** Whether the client knows of all. */
    public boolean isEmpty() {
        return head == tail;
    }

    /** A sequencer has refused a message, with what was used of what there may be. */
    public void add(
            final long commandId,
            final long publisherSequence,
            final int shard,
            final int topicId,
            final StateRefusal reason,
            final long used,
            final long limit) {
        if (tail == entries.length) {
            entries = Arrays.copyOf(entries, Math.max(LENGTH_INITIAL, 2 * tail));
        }
        entries[tail + COMMAND_ID] = commandId;
        entries[tail + PUBLISHER_SEQUENCE] = publisherSequence;
        entries[tail + TOPIC] = (long) shard << Integer.SIZE | topicId;
        entries[tail + REASON] = reason.id();
        entries[tail + USED] = used;
        entries[tail + LIMIT] = limit;
        tail += FIELD_COUNT;
    }

    /** Sends the client some refusals, as far as its outbox has room. Returns their number. */
    public int send(final Outbox outbox, final Answers answers, final RefusalTexts texts, final long nowNs) {
        int count = 0;
        while (head != tail && outbox.hasRoom()) {
            final StateRefusal reason = StateRefusal.of((int) entries[head + REASON]);
            final byte[] text =
                    texts.text(entries[head + TOPIC], reason, entries[head + USED], entries[head + LIMIT], nowNs);
            answers.error(
                    outbox,
                    entries[head + COMMAND_ID],
                    0,
                    entries[head + PUBLISHER_SEQUENCE],
                    reason.code(),
                    false,
                    text);
            head += FIELD_COUNT;
            count++;
        }
        if (head == tail) {
            head = 0;
            tail = 0;
            if (entries.length > LENGTH_KEPT) {
                entries = new long[0];
            }
        }
        return count;
    }
}
