package io.penstock.broker.sink;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that were offered and wait: connections take turns, and so do the writers of each. Those that are sent wait for
 * room, of which one connection has no more than a bound; those that are pulled need none, and wait for their turn alone.
 * Owned by the sink agent.
 */
final class BlockTurns {
    /**
     * The blocks of one connection take up to this much room at once. One that is longer has room alone, and a second one
     * beside it while half of the memory stays free.
     */
    private static final long GRANTED_LENGTH_MAX = 4L << 20;

    private final BlockMemory memory;
    private final Long2ObjectHashMap<Line> lines = new Long2ObjectHashMap<>();
    private final ArrayDeque<Line> sending = new ArrayDeque<>();
    private final ArrayDeque<Line> pulling = new ArrayDeque<>();

    /** A connection, and its writers whose next block waits. */
    private static final class Line {
        private final ArrayDeque<Delivery> sending = new ArrayDeque<>();
        private final ArrayDeque<Delivery> pulling = new ArrayDeque<>();
        private int writerCount;
        private int grantedCount;
        private long grantedLength;
        private boolean isSending;
        private boolean isPulling;
    }

    /** A writer, and its blocks that are not complete. */
    static final class Delivery {
        final SinkWriter writer;
        final SinkFile sink;
        private final Line line;
        private final ArrayDeque<BlockTransfer> offers = new ArrayDeque<>();
        private final List<BlockTransfer> granted = new ArrayList<>();
        private boolean isInLine;

        /** Another writer delivers as the same producer, under the same ids: what comes of this one is not taken. */
        boolean isReplaced;

        private Delivery(final SinkWriter writer, final SinkFile sink, final Line line) {
            this.writer = writer;
            this.sink = sink;
            this.line = line;
        }

        /** Blocks that have room. */
        List<BlockTransfer> granted() {
            return granted;
        }
    }

    BlockTurns(final BlockMemory memory) {
        this.memory = memory;
    }

    Delivery open(final SinkWriter writer, final SinkFile sink) {
        final Line line = lines.computeIfAbsent(writer.sessionId(), id -> new Line());
        line.writerCount++;
        return new Delivery(writer, sink, line);
    }

    /** Nothing more comes of a writer, whose blocks have no room any more. */
    void close(final Delivery delivery) {
        dropOffers(delivery);
        for (final BlockTransfer transfer : delivery.granted) {
            giveBack(delivery.line, transfer);
        }
        delivery.granted.clear();
        if (--delivery.line.writerCount == 0) {
            lines.remove(delivery.writer.sessionId());
        }
        takeTurns(delivery.line);
    }

    /** A writer waits for nothing any more. */
    void dropOffers(final Delivery delivery) {
        final Line line = delivery.line;
        delivery.offers.clear();
        if (delivery.isInLine) {
            delivery.isInLine = false;
            line.sending.remove(delivery);
            line.pulling.remove(delivery);
            if (line.isSending && line.sending.isEmpty()) {
                line.isSending = false;
                sending.remove(line);
            }
            if (line.isPulling && line.pulling.isEmpty()) {
                line.isPulling = false;
                pulling.remove(line);
            }
        }
    }

    /** A block waits from now on. */
    void offer(final Delivery delivery, final BlockTransfer transfer) {
        delivery.offers.add(transfer);
        standInLine(delivery);
    }

    /** Who sends next, if there is room; null when nobody waits, or may have more. */
    @Nullable
    Delivery nextToSend() {
        Line line;
        while ((line = sending.peek()) != null) {
            final Delivery delivery = line.sending.element();
            if (mayHaveMore(line, next(delivery))) {
                return delivery;
            }
            sending.remove();
            line.isSending = false;
        }
        return null;
    }

    private boolean mayHaveMore(final Line line, final BlockTransfer transfer) {
        final long length = room(transfer);
        return line.grantedCount == 0
                || line.grantedLength + length <= GRANTED_LENGTH_MAX
                || (line.grantedCount == 1 && memory.usedLength() + length <= memory.capacity() / 2);
    }

    private static long room(final BlockTransfer transfer) {
        return BlockMemory.pieceLength(transfer.length());
    }

    /** Whose block is pulled next; null when nobody waits. */
    @Nullable
    Delivery nextToPull() {
        final Line line = pulling.peek();
        return line == null ? null : line.pulling.element();
    }

    /** The block that a delivery waits with. */
    static BlockTransfer next(final Delivery delivery) {
        return delivery.offers.element();
    }

    /** The block of {@link #nextToSend()} has room. */
    void onGranted(final Delivery delivery) {
        final Line line = delivery.line;
        final BlockTransfer transfer = delivery.offers.remove();
        delivery.granted.add(transfer);
        line.grantedCount++;
        line.grantedLength += room(transfer);
        sending.remove();
        line.isSending = false;
        line.sending.remove();
        delivery.isInLine = false;
        standInLine(delivery);
        takeTurns(line);
    }

    /** The block of {@link #nextToPull()} is taken. */
    void onPulled(final Delivery delivery) {
        delivery.offers.remove();
        pulling.remove();
        delivery.line.isPulling = false;
        delivery.line.pulling.remove();
        delivery.isInLine = false;
        standInLine(delivery);
        takeTurns(delivery.line);
    }

    /** A block has come. Returns whether it had room. */
    boolean onComplete(final Delivery delivery, final BlockTransfer transfer) {
        if (!delivery.granted.remove(transfer)) {
            return false;
        }
        giveBack(delivery.line, transfer);
        takeTurns(delivery.line);
        return true;
    }

    private static void giveBack(final Line line, final BlockTransfer transfer) {
        line.grantedCount--;
        line.grantedLength -= room(transfer);
    }

    private void standInLine(final Delivery delivery) {
        final BlockTransfer first = delivery.offers.peek();
        if (first != null && !delivery.isInLine) {
            delivery.isInLine = true;
            (first.memoryOffset() < 0 ? delivery.line.sending : delivery.line.pulling).add(delivery);
            takeTurns(delivery.line);
        }
    }

    private void takeTurns(final Line line) {
        if (!line.isSending && !line.sending.isEmpty()) {
            line.isSending = true;
            sending.add(line);
        }
        if (!line.isPulling && !line.pulling.isEmpty()) {
            line.isPulling = true;
            pulling.add(line);
        }
    }
}
