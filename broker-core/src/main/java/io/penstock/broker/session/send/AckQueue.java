package io.penstock.broker.session.send;

import io.penstock.broker.shard.ShardPort;
import io.penstock.protocol.codec.AckType;
import java.util.Arrays;
import org.agrona.BitUtil;

/**
 * A client's commands that wait to be acknowledged, in order. Adjacent publishes to a shard are acknowledged together,
 * by the newest; dropped ones separately from applied ones. Bounded; grows only for clients that use it. Confined to
 * the client's I/O agent.
 */
public final class AckQueue {
    /** Commands of this kind may be acknowledged together. */
    public static final int KIND_PUBLISH = 0;

    /** Commands of this kind are acknowledged one by one. */
    public static final int KIND_OTHER = 1;

    /** Something to wait for without an acknowledgement. */
    public static final int KIND_BARRIER = 2;

    private static final int ENTRY_COUNT_INITIAL = 16;
    private static final int FIELD_COUNT = 5;
    private static final int COMMAND_ID = 0;
    private static final int PUBLISHER_SEQUENCE = 1;
    private static final int SUBMISSION = 2;
    private static final int PORT = 3;
    private static final int KIND_AND_TYPES = 4;
    private static final AckType[] TYPES = {
        AckType.RECEIVED, AckType.PROCESSED, AckType.PERSISTED, AckType.COMPLETED, AckType.STATS
    };

    private static final int PERSISTED = 1 << 2;

    /** In the field of kind and types: the publish was dropped, as its sequence was applied before. */
    private static final long DUPLICATE = 1L << (2 * Byte.SIZE);

    private final int countMax;
    private final PersistedQueue persisted = new PersistedQueue();
    private long[] entries = new long[0];
    private int mask = -1;
    private int head;
    private int count;

    /** Count of entries that were taken out: the place of the first one since the beginning. */
    private long headPlace;

    /** For each port, after the last entry that was found to be a duplicate or passed over; none before the first. */
    private long[] duplicatePlaces = new long[0];

    /** An empty queue of a bounded length. */
    public AckQueue(final int countMax) {
        this.countMax = countMax;
    }

    /** Whether that many more entries fit. */
    public boolean hasRoom(final int more) {
        return count + persisted.count() + more <= countMax;
    }

    /** Whether nothing waits to be acknowledged. */
    public boolean isEmpty() {
        return count == 0 && persisted.count() == 0;
    }

    /** Adds a command that is done when a port has processed all that is submitted to it now. */
    public void add(
            final int kind,
            final int ackTypes,
            final long commandId,
            final long publisherSequence,
            final ShardPort port) {
        if (count > mask) {
            grow();
        }
        final int at = ((head + count) & mask) * FIELD_COUNT;
        entries[at + COMMAND_ID] = commandId;
        entries[at + PUBLISHER_SEQUENCE] = publisherSequence;
        entries[at + SUBMISSION] = port.submitted();
        entries[at + PORT] = port.shard();
        entries[at + KIND_AND_TYPES] = ((long) kind << Byte.SIZE) | ackTypes;
        count++;
    }

    /**
     * Publishes that were submitted to a port were dropped: their acknowledgements say so. Called in the order of
     * submissions, and before any of them is seen to be processed.
     */
    public void onDuplicates(final int port, final long firstSubmission, final long lastSubmission) {
        if (duplicatePlaces.length <= port) {
            duplicatePlaces = Arrays.copyOf(duplicatePlaces, port + 1);
        }
        long place = Math.max(duplicatePlaces[port], headPlace);
        for (; place < headPlace + count; place++) {
            final int at = (head + (int) (place - headPlace) & mask) * FIELD_COUNT;
            final boolean isOfPort = entries[at + PORT] == port;
            if (isOfPort && entries[at + SUBMISSION] > lastSubmission) {
                break;
            }
            if (isOfPort
                    && entries[at + SUBMISSION] >= firstSubmission
                    && kind(entries[at + KIND_AND_TYPES]) == KIND_PUBLISH) {
                entries[at + KIND_AND_TYPES] |= DUPLICATE;
            }
        }
        duplicatePlaces[port] = place;
    }

    /** Sends the acknowledgements that are due, as far as the outbox has room. Returns the number of entries done. */
    public int drain(final ShardPort[] ports, final Answers answers, final Outbox outbox) {
        int done = persisted.drain(ports, answers, outbox);
        while (count > 0 && outbox.hasRoom() && isDue(ports, head)) {
            int last = head;
            while (count > 1 && isPublishLike(head, last + 1) && isDue(ports, last + 1)) {
                last = (last + 1) & mask;
                count--;
                headPlace++;
                done++;
            }
            final int at = last * FIELD_COUNT;
            if (kind(entries[at + KIND_AND_TYPES]) != KIND_BARRIER) {
                final int types = (int) entries[at + KIND_AND_TYPES] & 0xFF;
                final boolean isDuplicate = (entries[at + KIND_AND_TYPES] & DUPLICATE) != 0;
                final int port = (int) entries[at + PORT];
                final long sequence = kind(entries[at + KIND_AND_TYPES]) == KIND_PUBLISH
                        ? ports[port].appliedSequence(entries[at + SUBMISSION])
                        : 0;
                if ((types & PERSISTED) != 0) {
                    persisted.add(
                            entries[at + COMMAND_ID],
                            entries[at + PUBLISHER_SEQUENCE],
                            ports[port],
                            sequence,
                            isDuplicate);
                }
                for (int bit = 0; bit < TYPES.length; bit++) {
                    if ((types & ~PERSISTED & (1 << bit)) != 0) {
                        answers.publishAck(
                                outbox,
                                entries[at + COMMAND_ID],
                                entries[at + PUBLISHER_SEQUENCE],
                                TYPES[bit],
                                isDuplicate,
                                port,
                                sequence);
                    }
                }
            }
            head = (last + 1) & mask;
            count--;
            headPlace++;
            done++;
        }
        return done;
    }

    private static int kind(final long kindAndTypes) {
        return (int) (kindAndTypes >> Byte.SIZE) & 0xFF;
    }

    private boolean isDue(final ShardPort[] ports, final int index) {
        final int at = (index & mask) * FIELD_COUNT;
        return ports[(int) entries[at + PORT]].processed() >= entries[at + SUBMISSION];
    }

    private boolean isPublishLike(final int first, final int next) {
        final long kindAndTypes = entries[first * FIELD_COUNT + KIND_AND_TYPES];
        final int nextAt = (next & mask) * FIELD_COUNT;
        return kind(kindAndTypes) == KIND_PUBLISH
                && entries[nextAt + KIND_AND_TYPES] == kindAndTypes
                && entries[nextAt + PORT] == entries[first * FIELD_COUNT + PORT];
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
