package io.penstock.broker.session;

import io.penstock.broker.shard.state.StateRefusal;
import io.penstock.broker.topic.Topic;
import java.util.Arrays;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Messages of one client that a sequencer has refused and that the client has not been told of yet, in order. Bounded by
 * what the client has submitted: it is not read while there are any. Confined to the client's I/O agent.
 */
final class RefusalQueue {
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

    boolean isEmpty() {
        return head == tail;
    }

    void add(
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

    /** Tells the client of some, as far as its outbox has room. Returns their number. */
    int send(final Outbox outbox, final SessionContext context) {
        int count = 0;
        while (head != tail && outbox.hasRoom()) {
            final StateRefusal reason = StateRefusal.of((int) entries[head + REASON]);
            final byte[] text = context.refusalTexts.text(
                    context, entries[head + TOPIC], reason, entries[head + USED], entries[head + LIMIT]);
            context.counters.commandsRefused.incrementPlain();
            context.answers.error(
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

    /**
     * What clients are told of refusals, worded once in a while for each topic: a publisher that goes on against a full
     * store reads figures that are as old as that. Bounded. Confined to one I/O agent.
     */
    static final class Texts {
        private static final long INTERVAL_NS = 1_000_000_000;

        /** At so many texts all are worded anew. */
        private static final int COUNT_MAX = 4096;

        private final Long2ObjectHashMap<Text> byTopic = new Long2ObjectHashMap<>();

        byte[] text(
                final SessionContext context,
                final long topic,
                final StateRefusal reason,
                final long used,
                final long limit) {
            final long key = topic * StateRefusal.COUNT + reason.id();
            Text text = byTopic.get(key);
            if (text == null || context.nowNs - text.madeNs > INTERVAL_NS) {
                if (byTopic.size() >= COUNT_MAX) {
                    byTopic.clear();
                }
                final Topic of =
                        context.ports[(int) (topic >>> Integer.SIZE)].topics().find((int) topic);
                final String name = of == null ? "a topic that was deleted" : of.name();
                text = new Text(Answers.text(reason.text(name, used, limit)), context.nowNs);
                byTopic.put(key, text);
            }
            return text.bytes;
        }

        /** One text, and when it was worded. */
        private static final class Text {
            private final byte[] bytes;
            private final long madeNs;

            Text(final byte[] bytes, final long madeNs) {
                this.bytes = bytes;
                this.madeNs = madeNs;
            }
        }
    }
}
