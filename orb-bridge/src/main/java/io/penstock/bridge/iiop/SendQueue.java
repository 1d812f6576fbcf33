package io.penstock.bridge.iiop;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.penstock.bridge.giop.OutgoingMessage;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Outgoing messages of a connection. Messages take turns, piece by piece, where GIOP allows it, so that a short one
 * does not wait for a long one. Only as much is made ready as the socket takes. Owned by the connection's thread.
 */
final class SendQueue implements ChannelFutureListener {
    /** Memory of a message beside its data, in bytes. */
    private static final int MESSAGE_OVERHEAD = 512;

    private final Channel channel;
    private final SharedLength ofAll;
    private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
    private @Nullable Entry begun;
    private long length;
    private int pieceCount;
    // Read by the thread that looks for stuck connections.
    private volatile long progressNs = System.nanoTime();
    private volatile boolean isEmpty = true;

    SendQueue(final Channel channel, final SharedLength ofAll) {
        this.channel = channel;
        this.ofAll = ofAll;
    }

    /** Length of waiting messages, in bytes, with their memory. */
    long length() {
        return length;
    }

    /** Whether all was handed to the system. Any thread may ask. */
    boolean isEmpty() {
        return isEmpty;
    }

    /** Whether there is something that is not written yet. */
    boolean isWaiting() {
        return begun != null || !waiting.isEmpty();
    }

    /** When the client took something last; any thread may ask. */
    long progressNs() {
        return progressNs;
    }

    /**
     * Adds a message.
     *
     * @param message to send.
     * @param sent    run when it was handed to the system, or given up.
     */
    void add(final OutgoingMessage message, final Runnable sent) {
        if (isEmpty) {
            progressNs = System.nanoTime();
            isEmpty = false;
        }
        count(message.length() + MESSAGE_OVERHEAD);
        waiting.add(new Entry(message, sent));
    }

    private void count(final long more) {
        length += more;
        ofAll.force(more);
    }

    /** Writes as much as the socket takes; the caller flushes. Returns whether there was something. */
    boolean write() {
        boolean isWritten = false;
        while (channel.isWritable()) {
            Entry entry = begun;
            if (entry == null) {
                entry = waiting.poll();
            }
            if (entry == null) {
                break;
            }
            writePiece(entry);
            isWritten = true;
        }
        return isWritten;
    }

    private void writePiece(final Entry entry) {
        final OutgoingMessage message = entry.message;
        final ByteBuf piece = channel.alloc().directBuffer(message.nextLengthMax());
        message.writeNext(piece);
        // Code that notices a full socket during the write finds an incomplete message.
        begun = entry;
        pieceCount++;
        final ChannelFuture written = channel.write(piece);
        begun = message.mayYield() ? null : entry;
        written.addListener(this);
        if (message.isDone()) {
            count(-message.length() - MESSAGE_OVERHEAD);
            written.addListener(entry);
        } else if (begun == null) {
            waiting.add(entry);
        }
    }

    @Override
    public void operationComplete(final ChannelFuture written) {
        pieceCount--;
        progressNs = System.nanoTime();
        isEmpty = pieceCount == 0 && begun == null && waiting.isEmpty();
    }

    /** Gives up what waits. */
    void clear() {
        final Entry half = begun;
        begun = null;
        if (half != null) {
            half.sent.run();
        }
        waiting.forEach(each -> each.sent.run());
        waiting.clear();
        count(-length);
        isEmpty = true;
    }

    /** A message, and the one that waits until it is sent. */
    private static final class Entry implements ChannelFutureListener {
        private final OutgoingMessage message;
        private final Runnable sent;

        Entry(final OutgoingMessage message, final Runnable sent) {
            this.message = message;
            this.sent = sent;
        }

        @Override
        public void operationComplete(final ChannelFuture written) {
            sent.run();
        }
    }
}
