package io.penstock.client.sink;

import io.penstock.client.PenstockException;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/** Internal: the writers of a client. Owned by the agent; any thread hands new ones over. */
public final class SinkWriters {
    private static final int NEW_COUNT_MAX = 64;

    private final ManyToOneConcurrentArrayQueue<SinkWriter> newWriters =
            new ManyToOneConcurrentArrayQueue<>(NEW_COUNT_MAX);
    private final List<SinkDelivery> deliveries = new ArrayList<>();
    /** Closed ones, whose memory the connection may still send from. */
    private final List<SinkDelivery> retired = new ArrayList<>();

    /** They have ended too, and no connection sends from them, but threads of the program have blocks of them. */
    private final List<SinkDelivery> held = new ArrayList<>();

    private final Long2ObjectHashMap<SinkBlock> byCommandId = new Long2ObjectHashMap<>();
    private final NanoClock clock;

    /** Internal: of a client, on its clock. */
    public SinkWriters(final NanoClock clock) {
        this.clock = clock;
    }

    /** Internal: any thread: hands a writer over; false when too many are being opened. */
    public boolean offer(final SinkWriter writer) {
        return newWriters.offer(writer);
    }

    /** Internal: whether nothing is on its way to a sink. */
    public boolean isIdle() {
        for (int i = 0; i < deliveries.size(); i++) {
            if (!deliveries.get(i).isIdle()) {
                return false;
            }
        }
        return newWriters.isEmpty();
    }

    /** Internal: says what there is to say on a connection that is logged on; returns the work done. */
    public int send(final BlockConnection connection) {
        SinkWriter added;
        while ((added = newWriters.poll()) != null) {
            deliveries.add(new SinkDelivery(added, clock, byCommandId));
        }
        if (!held.isEmpty()) {
            held.removeIf(SinkDelivery::free);
        }
        int workCount = 0;
        boolean isBlocked = false;
        for (int i = deliveries.size() - 1; i >= 0; i--) {
            if (deliveries.get(i).writer().isCloseRequested()) {
                final int closedCount = close(connection, deliveries.get(i));
                isBlocked |= closedCount == 0;
                workCount += closedCount;
            }
        }
        // Behind those that close: a new one may be the same producer.
        for (int i = deliveries.size() - 1; i >= 0; i--) {
            final SinkDelivery delivery = deliveries.get(i);
            if (!delivery.writer().isCloseRequested() && (!isBlocked || delivery.isOpenSent())) {
                workCount += delivery.send(connection);
            }
        }
        return workCount;
    }

    private int close(final BlockConnection connection, final SinkDelivery delivery) {
        if (delivery.isOpenSent() && connection.offerCloseSink(delivery.writer().writerId()) < 0) {
            return 0;
        }
        final boolean isSending = !delivery.isIdle();
        deliveries.remove(delivery);
        delivery.end(null);
        if (isSending) {
            retired.add(delivery);
        } else {
            free(delivery);
        }
        return 1;
    }

    /** No connection sends from it any more. */
    private void free(final SinkDelivery delivery) {
        if (!delivery.free()) {
            held.add(delivery);
        }
    }

    /** Internal: the broker lets a writer deliver. */
    public void onOpened(final int writerId, final long blockId, final boolean pulls) {
        final SinkDelivery delivery = find(writerId);
        if (delivery != null) {
            delivery.onOpened(blockId, pulls);
        }
    }

    /** Internal: the broker has room for a block. */
    public void onGranted(final int writerId, final long blockId) {
        final SinkDelivery delivery = find(writerId);
        if (delivery != null) {
            delivery.onGranted(blockId);
        }
    }

    /** Internal: a block is in its sink. */
    public void onStored(final long commandId, final int writerId, final long number, final long offset) {
        final SinkDelivery delivery = find(writerId);
        final SinkBlock block = byCommandId.get(commandId);
        if (delivery != null && block != null) {
            delivery.onStored(block, number, offset);
        }
    }

    /** Internal: returns whether the error is about a sink. */
    public boolean onError(final long commandId, final PenstockException reason) {
        if (reason.errorCode() == ErrorCode.SHUTTING_DOWN && isForNextConnection(commandId)) {
            return true;
        }
        final SinkBlock block = byCommandId.get(commandId);
        for (int i = 0; i < deliveries.size(); i++) {
            final SinkDelivery delivery = deliveries.get(i);
            if (block != null && delivery.onFailed(block, reason)) {
                return true;
            }
            if (delivery.openCommandId() == commandId) {
                deliveries.remove(i);
                delivery.end(reason);
                // Nothing was sent from it: the sink is not open on this connection.
                free(delivery);
                return true;
            }
        }
        return false;
    }

    /** Blocks, and sinks that were open before, have not failed because a broker stops: it ends the connection, too. */
    private boolean isForNextConnection(final long commandId) {
        if (byCommandId.containsKey(commandId)) {
            return true;
        }
        for (int i = 0; i < deliveries.size(); i++) {
            final SinkDelivery delivery = deliveries.get(i);
            if (delivery.openCommandId() == commandId && delivery.wasOpen()) {
                return true;
            }
        }
        return false;
    }

    private @Nullable SinkDelivery find(final int writerId) {
        for (int i = 0; i < deliveries.size(); i++) {
            if (deliveries.get(i).writer().writerId() == writerId) {
                return deliveries.get(i);
            }
        }
        return null;
    }

    /** Internal: the connection is lost. */
    public void onDisconnect() {
        deliveries.forEach(SinkDelivery::onDisconnect);
        endClosed();
        freeRetired();
    }

    /** Internal: ends the writers that want to close while there is no connection to say so on; returns how many that were. */
    public int endClosed() {
        int workCount = 0;
        for (int i = deliveries.size() - 1; i >= 0; i--) {
            final SinkDelivery delivery = deliveries.get(i);
            if (delivery.writer().isCloseRequested()) {
                deliveries.remove(i);
                delivery.end(null);
                retired.add(delivery);
                workCount++;
            }
        }
        if (workCount > 0) {
            freeRetired();
        }
        return workCount;
    }

    private void freeRetired() {
        retired.forEach(this::free);
        retired.clear();
    }

    /** Internal: the client has ended, and its connection is closed. */
    public void end(final PenstockException reason) {
        SinkWriter added;
        while ((added = newWriters.poll()) != null) {
            added.refuse(reason);
            added.onEnd(reason);
        }
        deliveries.forEach(delivery -> delivery.end(reason));
        retired.addAll(deliveries);
        deliveries.clear();
        freeRetired();
    }
}
