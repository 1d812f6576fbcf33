package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import java.util.ArrayDeque;
import org.agrona.BitUtil;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Sends what is in a publish store, in order, and takes out what the broker has for good: all of it again on each new
 * connection, as the broker recognises what it has. Messages lie in a ring in the order of their sequences; those before
 * {@code next} are sent. Owned by the agent.
 *
 * <p>A message is released by {@code persisted}, that of a topic in memory by {@code processed}. Which it is, the broker
 * says with the first message to a topic on a connection; until then nothing is sent after it, as a message that comes
 * before a later one was applied would be taken for one that was sent again.
 */
final class StoredPublishes implements PublishStore.Reader {
    private static final int TYPE_COUNT = AckType.values().length;
    private static final int PROCESSED = AckType.PROCESSED.mask();
    private static final int PERSISTED = AckType.PERSISTED.mask();
    private static final long NO_PROBE = -1;

    private final PublishStore store;
    private final ClientSession session;
    private final PendingPool pool;
    private final NanoClock clock;
    private final Backoff backoff;
    private final Listener listener;
    private final TopicKinds topics;
    private final long[] sequences;
    private final long[] commandIds;
    /** What the program waits for, and what releases the message; 0 and 0 = done. */
    private final byte[] askedTypes;

    private final byte[] releaseTypes;
    private final @Nullable PendingCommand[] publishes;
    private final long[] cursors = new long[TYPE_COUNT];
    private final ArrayDeque<Drain> drains = new ArrayDeque<>();
    private final int mask;
    private long head;
    private long next;
    private long tail;
    private long probe = NO_PROBE;

    /** The long message whose bytes are in use while the session sends it. */
    private long largeSequence;

    private long doneSequence;
    private long discardedSequence;

    /** The broker cannot take anything now; it is tried again when the time has come, or on a new connection. */
    private boolean isHeld;

    private int heldCount;
    private long resumeNs;

    /** Told on the agent's thread. */
    interface Listener {
        /** A message was refused, and nobody waits for it. */
        void onRefused(PenstockException reason);

        /** The broker cannot take messages now. */
        void onHeld(PenstockException reason);
    }

    /** Somebody waits until all before a place in the ring is done. */
    private record Drain(long end, PendingCommand waiting) {}

    StoredPublishes(
            final PublishStore store,
            final ClientSession session,
            final PendingPool pool,
            final int topicLimit,
            final NanoClock clock,
            final Backoff backoff,
            final Listener listener) {
        this.store = store;
        this.session = session;
        this.pool = pool;
        this.clock = clock;
        this.backoff = backoff;
        this.listener = listener;
        topics = new TopicKinds(topicLimit);
        final int capacity = BitUtil.findNextPositivePowerOfTwo(store.limit());
        sequences = new long[capacity];
        commandIds = new long[capacity];
        askedTypes = new byte[capacity];
        releaseTypes = new byte[capacity];
        publishes = new PendingCommand[capacity];
        mask = capacity - 1;
        while (store.read(tail == 0 ? 0 : sequences[slot(tail - 1)] + 1, (sequence, frame, offset, length) -> {
            add(sequence, null);
            return true;
        })) {}
    }

    /** Takes on a message that was appended to the store. */
    void add(final long sequence, final @Nullable PendingCommand pending) {
        assert tail - head <= mask;
        final int slot = slot(tail++);
        sequences[slot] = sequence;
        publishes[slot] = pending;
        askedTypes[slot] = (byte) (pending == null ? 0 : pending.ackTypes());
        releaseTypes[slot] = (byte) PERSISTED;
    }

    /** Tells a request when all messages taken on so far are done. */
    void addDrain(final PendingCommand waiting) {
        drains.add(new Drain(tail, waiting));
        release();
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** Whether other commands have to wait: messages before them are not sent, and will be soon. */
    boolean isBehind() {
        return next < tail && !isHeld;
    }

    /** When there is something to do without a message or an answer, in nanoseconds from now. */
    long delayNs() {
        return isHeld ? resumeNs - clock.nanoTime() : Long.MAX_VALUE;
    }

    /** Sends as much as the session takes, and returns the number of messages. */
    int send() {
        if (isHeld && clock.nanoTime() - resumeNs >= 0) {
            isHeld = false;
        }
        final long start = next;
        while (next < tail && probe == NO_PROBE && !isHeld) {
            final int slot = slot(next);
            if (isDone(slot)) {
                next++;
            } else if (!store.read(sequences[slot], this)) {
                break;
            }
        }
        return (int) (next - start);
    }

    @Override
    public boolean onEntry(final long sequence, final MutableDirectBuffer frame, final int offset, final int length) {
        final int slot = slot(next);
        assert sequence == sequences[slot];
        final int topicOffset = PublishFrame.topicOffset(frame, offset);
        final int topicLength = PublishFrame.topicLength(frame, offset);
        final boolean isKnown = topics.isKnown(frame, topicOffset, topicLength);
        final boolean isInMemory = isKnown && topics.isInMemory(frame, topicOffset, topicLength);
        releaseTypes[slot] = (byte) (isInMemory ? PROCESSED : PERSISTED);
        PublishFrame.ackTypes(frame, offset, askedTypes[slot] | releaseTypes[slot] | (isKnown ? 0 : PROCESSED));
        final boolean isLarge = length > CommandFrame.LENGTH_MAX;
        final long commandId =
                isLarge ? session.offerLarge(frame, offset, length) : session.offerFrame(frame, offset, length);
        if (commandId < 0) {
            return false;
        }
        commandIds[slot] = commandId;
        largeSequence = isLarge ? sequence : largeSequence;
        probe = isKnown ? NO_PROBE : next;
        next++;
        return true;
    }

    /** An acknowledgement of a publish covers those before it too. */
    void onAck(final AckType type, final long commandId, final boolean isDuplicate) {
        long cursor = Math.max(cursors[type.code()], head);
        while (cursor < next && commandIds[slot(cursor)] <= commandId) {
            final int slot = slot(cursor);
            final PendingCommand pending = publishes[slot];
            if (releaseTypes[slot] == type.mask()) {
                releaseTypes[slot] = 0;
            }
            if ((askedTypes[slot] & type.mask()) != 0 && pending != null) {
                askedTypes[slot] &= (byte) ~type.mask();
                pending.onAck(type, isDuplicate);
            }
            if (cursor == probe && type == AckType.PROCESSED) {
                onKind(slot, false);
            }
            cursor++;
        }
        cursors[type.code()] = cursor;
        heldCount = 0;
        release();
    }

    /**
     * Takes out a message that was refused, keeps it when it may be taken later.
     *
     * @return false when it is none of these messages.
     */
    boolean onError(final BrokerError error) {
        final long position = find(error.publisherSequence());
        if (position < 0) {
            return error.publisherSequence() > 0 && error.publisherSequence() <= doneSequence;
        }
        final int slot = slot(position);
        if (position >= next || commandIds[slot] != error.commandId() || isDone(slot)) {
            // It will be sent again, or is on its way.
            return true;
        }
        if (isForLater(error.errorCode())) {
            hold(error.toException());
            return true;
        }
        final int asked = askedTypes[slot];
        if (error.errorCode() == ErrorCode.NOT_SUPPORTED && position == probe) {
            onKind(slot, true);
            if ((asked & PERSISTED) == 0) {
                rewind(position);
                return true;
            }
        }
        fail(slot, error.toException());
        store.remove(sequences[slot]);
        if (position == probe) {
            probe = NO_PROBE;
        }
        release();
        return true;
    }

    /** Whether the same message may be taken by this broker, or by another one, at another time. */
    private static boolean isForLater(final @Nullable ErrorCode errorCode) {
        return errorCode == ErrorCode.BAD_SEQUENCE
                || errorCode == ErrorCode.JOURNAL_FULL
                || errorCode == ErrorCode.JOURNAL_FAILED
                || errorCode == ErrorCode.SHUTTING_DOWN;
    }

    private void hold(final PenstockException reason) {
        isHeld = true;
        resumeNs = clock.nanoTime() + backoff.delayNs(++heldCount);
        rewind(head);
        listener.onHeld(reason);
    }

    private void onKind(final int slot, final boolean isInMemory) {
        probe = NO_PROBE;
        store.read(sequences[slot], (sequence, frame, offset, length) -> {
            topics.add(
                    frame,
                    PublishFrame.topicOffset(frame, offset),
                    PublishFrame.topicLength(frame, offset),
                    isInMemory);
            return true;
        });
    }

    private void fail(final int slot, final PenstockException reason) {
        final PendingCommand pending = publishes[slot];
        final boolean isAwaited = askedTypes[slot] != 0;
        askedTypes[slot] = 0;
        releaseTypes[slot] = 0;
        if (pending != null && isAwaited) {
            pending.onFailure(reason);
        } else {
            listener.onRefused(reason);
        }
    }

    /** The connection is lost, and with it all that was sent on it and not answered. */
    void onDisconnect() {
        topics.clear();
        isHeld = false;
        rewind(head);
    }

    private void rewind(final long position) {
        next = Math.min(next, position);
        probe = NO_PROBE;
        for (int i = 0; i < TYPE_COUNT; i++) {
            cursors[i] = Math.min(cursors[i], next);
        }
    }

    private long find(final long sequence) {
        long low = head;
        long high = tail - 1;
        while (low <= high) {
            final long middle = low + (high - low) / 2;
            final long found = sequences[slot(middle)];
            if (found == sequence) {
                return middle;
            }
            if (found < sequence) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    private boolean isDone(final int slot) {
        return askedTypes[slot] == 0 && releaseTypes[slot] == 0;
    }

    private void release() {
        while (head < tail && isDone(slot(head))) {
            final int slot = slot(head++);
            final PendingCommand pending = publishes[slot];
            publishes[slot] = null;
            doneSequence = sequences[slot];
            if (pending != null) {
                pool.release(pending);
            }
        }
        next = Math.max(next, head);
        Drain drain;
        while ((drain = drains.peek()) != null && drain.end() <= head) {
            drains.remove();
            final Request<?> request = drain.waiting().request();
            pool.release(drain.waiting());
            if (request != null) {
                request.onAck();
            }
        }
    }

    /** Gives room back to the store; once for each duty cycle. */
    void discard() {
        long sequence = doneSequence;
        if (largeSequence != 0 && session.isLargeActive()) {
            sequence = Math.min(sequence, largeSequence - 1);
        }
        if (sequence > discardedSequence) {
            discardedSequence = sequence;
            store.discard(sequence);
        }
    }

    /** The client ends: who still waits is told, and the store keeps what it has. */
    void end(final PenstockException reason) {
        for (; head < tail; head++) {
            final int slot = slot(head);
            final PendingCommand pending = publishes[slot];
            if (pending != null) {
                if (askedTypes[slot] != 0) {
                    pending.onFailure(reason);
                }
                pool.release(pending);
            }
        }
        for (final Drain drain : drains) {
            drain.waiting().onFailure(reason);
            pool.release(drain.waiting());
        }
        drains.clear();
    }

    private int slot(final long position) {
        return (int) position & mask;
    }
}
