package io.penstock.client.engine;

import io.penstock.client.AckType;
import io.penstock.client.BrokerError;
import io.penstock.client.PenstockException;
import io.penstock.client.PublishStore;
import io.penstock.client.session.CommandFrame;
import io.penstock.client.session.FrameSender;
import io.penstock.client.session.PublishFrame;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayDeque;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the messages of a publish store, in order, and removes those that the broker has for good. It sends all of them
 * again on each new connection, as the broker recognises those that it has. Messages lie in a ring in the order of
 * their sequences; those before {@code next} are sent. Owned by the agent.
 *
 * <p>A message is released by {@code persisted}, a message to a topic in memory by {@code processed}. The broker's
 * answer to the first message to a topic on a connection shows which of the two applies; until then nothing is sent
 * after it, as a message that comes before a later one was applied would be taken for one that was sent again.
 */
final class StoredPublishes implements PublishStore.Reader {
    private static final int TYPE_COUNT = AckType.values().length;
    private static final int PROCESSED = AckType.PROCESSED.mask();
    private static final int PERSISTED = AckType.PERSISTED.mask();
    private static final long NO_PROBE = -1;

    private final PublishStore store;
    private final FrameSender sender;
    private final PendingPool pool;
    /** The broker cannot take anything now; it is tried again when the time has come, or on a new connection. */
    private final Hold hold;

    private final Listener listener;
    private final TopicKinds topics;
    private final StoredSlots slots;
    private final StoreDiscard discard;
    private final long[] cursors = new long[TYPE_COUNT];
    private final ArrayDeque<Drain> drains = new ArrayDeque<>();
    private long head;
    private long next;
    private long tail;
    private long probe = NO_PROBE;

    /** Notified on the agent's thread. */
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
            final FrameSender sender,
            final PendingPool pool,
            final int topicLimit,
            final Hold hold,
            final Listener listener) {
        this.store = store;
        this.sender = sender;
        this.pool = pool;
        this.hold = hold;
        this.listener = listener;
        topics = new TopicKinds(topicLimit);
        slots = new StoredSlots(store.limit());
        discard = new StoreDiscard(store, sender);
        while (store.read(
                tail == 0 ? 0 : slots.sequences[slots.of(tail - 1)] + 1, (sequence, frame, offset, length) -> {
                    add(sequence, null);
                    return true;
                })) {}
    }

    /** Takes on a message that was appended to the store. */
    void add(final long sequence, final @Nullable PendingCommand pending) {
        assert tail - head < slots.capacity();
        final int slot = slots.of(tail++);
        slots.sequences[slot] = sequence;
        slots.publishes[slot] = pending;
        slots.askedTypes[slot] = (byte) (pending == null ? 0 : pending.ackTypes());
        slots.releaseTypes[slot] = (byte) PERSISTED;
    }

    /** Notifies a request when all messages accepted so far are done. */
    void addDrain(final PendingCommand waiting) {
        drains.add(new Drain(tail, waiting));
        release();
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** Whether other commands have to wait: messages before them are not sent, and will be soon. */
    boolean isBehind() {
        return next < tail && !hold.isHeld();
    }

    /** When there is something to do without a message or an answer, in nanoseconds from now. */
    long delayNs() {
        return hold.delayNs();
    }

    /** Sends as much as the session takes, and returns the number of messages. */
    int send() {
        hold.check();
        final long start = next;
        while (next < tail && probe == NO_PROBE && !hold.isHeld()) {
            final int slot = slots.of(next);
            if (slots.isDone(slot)) {
                next++;
            } else if (!store.read(slots.sequences[slot], this)) {
                break;
            }
        }
        return (int) (next - start);
    }

    @Override
    public boolean onEntry(final long sequence, final MutableDirectBuffer frame, final int offset, final int length) {
        final int slot = slots.of(next);
        assert sequence == slots.sequences[slot];
        final int topicOffset = PublishFrame.topicOffset(frame, offset);
        final int topicLength = PublishFrame.topicLength(frame, offset);
        final boolean isKnown = topics.isKnown(frame, topicOffset, topicLength);
        final boolean isInMemory = isKnown && topics.isInMemory(frame, topicOffset, topicLength);
        slots.releaseTypes[slot] = (byte) (isInMemory ? PROCESSED : PERSISTED);
        PublishFrame.ackTypes(
                frame, offset, slots.askedTypes[slot] | slots.releaseTypes[slot] | (isKnown ? 0 : PROCESSED));
        final boolean isLarge = length > CommandFrame.LENGTH_MAX;
        final long commandId =
                isLarge ? sender.offerLarge(frame, offset, length) : sender.offerFrame(frame, offset, length);
        if (commandId < 0) {
            return false;
        }
        slots.commandIds[slot] = commandId;
        if (isLarge) {
            discard.onLarge(sequence);
        }
        probe = isKnown ? NO_PROBE : next;
        next++;
        return true;
    }

    /** An acknowledgement of a publish covers those before it too. */
    void onAck(
            final AckType type, final long commandId, final boolean isDuplicate, final int shard, final long sequence) {
        long cursor = Math.max(cursors[type.code()], head);
        while (cursor < next && slots.commandIds[slots.of(cursor)] <= commandId) {
            final int slot = slots.of(cursor);
            final PendingCommand pending = slots.publishes[slot];
            if (slots.releaseTypes[slot] == type.mask()) {
                slots.releaseTypes[slot] = 0;
            }
            if ((slots.askedTypes[slot] & type.mask()) != 0 && pending != null) {
                slots.askedTypes[slot] &= (byte) ~type.mask();
                pending.onAck(type, isDuplicate, shard, sequence);
            }
            if (cursor == probe && type == AckType.PROCESSED) {
                onKind(slot, false);
            }
            cursor++;
        }
        cursors[type.code()] = cursor;
        hold.onAck();
        release();
    }

    /**
     * Takes out a message that was refused, keeps it when it may be taken later.
     *
     * @return false when it is none of these messages.
     */
    boolean onError(final BrokerError error) {
        final long position = slots.find(error.publisherSequence(), head, tail);
        if (position < 0) {
            return error.publisherSequence() > 0 && discard.isDone(error.publisherSequence());
        }
        final int slot = slots.of(position);
        if (position >= next || slots.commandIds[slot] != error.commandId() || slots.isDone(slot)) {
            // It will be sent again, or is on its way.
            return true;
        }
        if (isForLater(error.errorCode())) {
            hold(error.toException());
            return true;
        }
        final int asked = slots.askedTypes[slot];
        if (error.errorCode() == ErrorCode.NOT_SUPPORTED && position == probe) {
            onKind(slot, true);
            if ((asked & PERSISTED) == 0) {
                rewind(position);
                return true;
            }
        }
        fail(slot, error.toException());
        store.remove(slots.sequences[slot]);
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
        hold.begin();
        rewind(head);
        listener.onHeld(reason);
    }

    private void onKind(final int slot, final boolean isInMemory) {
        probe = NO_PROBE;
        store.read(slots.sequences[slot], (sequence, frame, offset, length) -> {
            topics.add(
                    frame,
                    PublishFrame.topicOffset(frame, offset),
                    PublishFrame.topicLength(frame, offset),
                    isInMemory);
            return true;
        });
    }

    private void fail(final int slot, final PenstockException reason) {
        final PendingCommand pending = slots.publishes[slot];
        final boolean isAwaited = slots.askedTypes[slot] != 0;
        slots.askedTypes[slot] = 0;
        slots.releaseTypes[slot] = 0;
        if (pending != null && isAwaited) {
            pending.onFailure(reason);
        } else {
            listener.onRefused(reason);
        }
    }

    /** The connection is lost, and with it all that was sent on it and not answered. */
    void onDisconnect() {
        topics.clear();
        hold.end();
        rewind(head);
    }

    private void rewind(final long position) {
        next = Math.min(next, position);
        probe = NO_PROBE;
        for (int i = 0; i < TYPE_COUNT; i++) {
            cursors[i] = Math.min(cursors[i], next);
        }
    }

    private void release() {
        while (head < tail && slots.isDone(slots.of(head))) {
            final int slot = slots.of(head++);
            final PendingCommand pending = slots.publishes[slot];
            slots.publishes[slot] = null;
            discard.onDone(slots.sequences[slot]);
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
        discard.discard();
    }

    /** The client ends: callers that still wait are notified, and the store keeps its messages. */
    void end(final PenstockException reason) {
        for (; head < tail; head++) {
            final int slot = slots.of(head);
            final PendingCommand pending = slots.publishes[slot];
            if (pending != null) {
                if (slots.askedTypes[slot] != 0) {
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
}
