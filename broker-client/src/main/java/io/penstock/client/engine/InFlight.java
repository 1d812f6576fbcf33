package io.penstock.client.engine;

import io.penstock.client.AckType;
import io.penstock.client.PenstockException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.BitUtil;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Commands that were sent and wait for their answer. Publishes lie in the order in which they were sent, and for each
 * type of acknowledgement a cursor says how far it has come, so that one acknowledgement answers all up to it and each
 * is looked at once per type. Owned by the agent.
 */
final class InFlight {
    private static final int TYPE_COUNT = AckType.values().length;

    private final long[] commandIds;
    private final int[] openTypes;
    private final @Nullable PendingCommand[] publishes;
    private final long[] cursors = new long[TYPE_COUNT];
    private final Long2ObjectHashMap<PendingCommand> requestById = new Long2ObjectHashMap<>();
    private final Consumer<PendingCommand> released;
    private final int mask;
    private long head;
    private long tail;

    /**
     * Makes room for all that can be in flight.
     *
     * @param limit    of publishes at once.
     * @param released called for each publish and request that has had its last answer.
     */
    InFlight(final int limit, final Consumer<PendingCommand> released) {
        final int capacity = BitUtil.findNextPositivePowerOfTwo(limit);
        commandIds = new long[capacity];
        openTypes = new int[capacity];
        publishes = new PendingCommand[capacity];
        mask = capacity - 1;
        this.released = released;
    }

    boolean isEmpty() {
        return head == tail && requestById.isEmpty();
    }

    /** Command ids rise from one call to the next. */
    void add(final long commandId, final PendingCommand pending) {
        if (pending.request() != null) {
            requestById.put(commandId, pending);
            return;
        }
        assert tail - head <= mask;
        final int slot = slot(tail++);
        commandIds[slot] = commandId;
        openTypes[slot] = pending.ackTypes();
        publishes[slot] = pending;
    }

    @Nullable
    Request<?> request(final long commandId) {
        final PendingCommand pending = requestById.get(commandId);
        return pending == null ? null : pending.request();
    }

    void onAck(
            final AckType type, final long commandId, final boolean isDuplicate, final int shard, final long sequence) {
        final PendingCommand request = requestById.remove(commandId);
        if (request == null) {
            onPublishAck(type, commandId, isDuplicate, shard, sequence);
        } else if (request.request() != null) {
            final Request<?> answered = request.request();
            released.accept(request);
            answered.onAck();
        }
    }

    /** An acknowledgement of a publish covers those before it too. */
    private void onPublishAck(
            final AckType type, final long commandId, final boolean isDuplicate, final int shard, final long sequence) {
        long cursor = Math.max(cursors[type.code()], head);
        while (cursor < tail && commandIds[slot(cursor)] <= commandId) {
            final int slot = slot(cursor++);
            final PendingCommand pending = publishes[slot];
            if ((openTypes[slot] & type.mask()) != 0 && pending != null) {
                openTypes[slot] &= ~type.mask();
                pending.onAck(type, isDuplicate, shard, sequence);
            }
        }
        cursors[type.code()] = cursor;
        release();
    }

    /** Returns false when nobody waits for the command. */
    boolean onError(final long commandId, final PenstockException reason) {
        final PendingCommand request = requestById.remove(commandId);
        if (request != null) {
            fail(request, reason);
            return true;
        }
        final long position = find(commandId);
        if (position < 0) {
            return false;
        }
        final int slot = slot(position);
        final PendingCommand pending = publishes[slot];
        if (openTypes[slot] != 0 && pending != null) {
            openTypes[slot] = 0;
            pending.onFailure(reason);
        }
        release();
        return true;
    }

    /**
     * The broker's log has failed: a publish fails, and with it all before it that wait to be persisted, since one
     * error stands for all of them. Some may lie in a log that has not failed; the client cannot distinguish them.
     *
     * @return false when nobody waits for the command.
     */
    boolean onJournalFailed(final long commandId, final PenstockException reason) {
        final long position = find(commandId);
        for (long earlier = head; earlier < position; earlier++) {
            final int slot = slot(earlier);
            final PendingCommand pending = publishes[slot];
            if ((openTypes[slot] & AckType.PERSISTED.mask()) != 0 && pending != null) {
                openTypes[slot] = 0;
                pending.onFailure(reason);
            }
        }
        return onError(commandId, reason);
    }

    private long find(final long commandId) {
        long low = head;
        long high = tail - 1;
        while (low <= high) {
            final long middle = low + (high - low) / 2;
            final long found = commandIds[slot(middle)];
            if (found == commandId) {
                return middle;
            }
            if (found < commandId) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    /** Takes the requests out, in the order in which they were sent. */
    List<PendingCommand> takeRequests() {
        final List<PendingCommand> requests = new ArrayList<>(requestById.size());
        final long[] ids = requestById.keySet().stream()
                .mapToLong(Long::longValue)
                .sorted()
                .toArray();
        for (final long id : ids) {
            requests.add(requestById.remove(id));
        }
        return requests;
    }

    /** Fails everything and returns how many publishes that were. */
    int failAll(final PenstockException reason) {
        int publishCount = 0;
        while (head < tail) {
            final int slot = slot(head++);
            final PendingCommand pending = publishes[slot];
            publishes[slot] = null;
            if (pending != null && openTypes[slot] != 0) {
                publishCount++;
                fail(pending, reason);
            } else if (pending != null) {
                released.accept(pending);
            }
        }
        for (final PendingCommand request : takeRequests()) {
            fail(request, reason);
        }
        return publishCount;
    }

    /** Fails one that was taken out. */
    void fail(final PendingCommand pending, final PenstockException reason) {
        pending.onFailure(reason);
        released.accept(pending);
    }

    private void release() {
        while (head < tail && openTypes[slot(head)] == 0) {
            final int slot = slot(head++);
            final PendingCommand pending = publishes[slot];
            publishes[slot] = null;
            if (pending != null) {
                released.accept(pending);
            }
        }
    }

    private int slot(final long position) {
        return (int) position & mask;
    }
}
