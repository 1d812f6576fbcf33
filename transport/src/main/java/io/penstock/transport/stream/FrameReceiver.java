package io.penstock.transport.stream;

import io.penstock.transport.TransportCounters;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads one connection through a buffer that all connections of the transport share, and keeps only what it cannot
 * deliver yet: the start of a frame, or what the handler refused.
 */
final class FrameReceiver {
    /** Reads of one connection in a row, after which others have their turn. */
    private static final int READ_LIMIT = 4;

    private final FrameReader reader;
    private final ChunkPool pool;
    private final StreamSocket socket;
    private final TransportCounters counters;

    private @Nullable Chunk kept;
    private int keptOffset;
    private int keptEnd;

    /** The unconsumed bytes in the shared buffer. */
    private int sharedOffset;

    private int sharedEnd;
    private int fragmentCount;
    private boolean isBusy;
    private boolean isDrained;
    private boolean isAtEnd;
    private boolean isClosed;

    FrameReceiver(
            final FrameReader reader,
            final ChunkPool pool,
            final StreamSocket socket,
            final TransportCounters counters) {
        this.reader = reader;
        this.pool = pool;
        this.socket = socket;
        this.counters = counters;
    }

    /**
     * Reads the socket until it is drained, or the limit is reached, or the handler refuses.
     *
     * @return the fragments delivered.
     */
    int receive(final Chunk shared, final int frameLimit) throws IOException {
        fragmentCount = 0;
        isBusy = true;
        try {
            takeKept(shared);
            int readCount = 0;
            do {
                read(shared);
            } while (!isDrained && !isStopped() && fragmentCount < frameLimit && ++readCount < READ_LIMIT);
        } finally {
            isBusy = false;
            keep(shared);
        }
        return fragmentCount;
    }

    private void read(final Chunk shared) throws IOException {
        moveToFront(shared);
        final int wanted = shared.length() - sharedEnd;
        final int received = socket.read(shared, sharedEnd, wanted);
        isDrained = received < wanted && !socket.hasMore();
        if (received <= 0) {
            isAtEnd = received == StreamSocket.END_OF_STREAM;
            return;
        }
        counters.onReceived(received);
        sharedEnd += received;
        try {
            fragmentCount += reader.read(shared.buffer(), 0, sharedEnd);
        } finally {
            sharedOffset = reader.consumed();
        }
    }

    /** Offers what was refused again, without reading the socket. Returns the fragments delivered. */
    int retry() {
        final Chunk from = kept;
        if (from == null) {
            return 0;
        }
        isBusy = true;
        try {
            return reader.read(from.buffer(), keptOffset, keptEnd);
        } finally {
            isBusy = false;
            keptOffset = reader.consumed();
            if (isClosed || keptOffset == keptEnd) {
                release();
            }
        }
    }

    private void takeKept(final Chunk shared) {
        sharedOffset = 0;
        sharedEnd = 0;
        final Chunk from = kept;
        if (from != null) {
            sharedEnd = keptEnd - keptOffset;
            shared.buffer().putBytes(0, from.buffer(), keptOffset, sharedEnd);
            counters.onCopied(sharedEnd);
            release();
        }
    }

    private void moveToFront(final Chunk shared) {
        if (sharedOffset > 0) {
            final int length = sharedEnd - sharedOffset;
            shared.buffer().putBytes(0, shared.buffer(), sharedOffset, length);
            counters.onCopied(length);
            sharedOffset = 0;
            sharedEnd = length;
        }
    }

    private void keep(final Chunk shared) {
        final int length = sharedEnd - sharedOffset;
        if (length > 0 && !isClosed) {
            final Chunk to = pool.take(length);
            to.buffer().putBytes(0, shared.buffer(), sharedOffset, length);
            counters.onCopied(length);
            kept = to;
            keptOffset = 0;
            keptEnd = length;
        }
    }

    private boolean isStopped() {
        return isClosed || reader.isRefused() || reader.isBad();
    }

    /** Whether the handler did not take all that was read. */
    boolean isRefused() {
        return reader.isRefused();
    }

    /** Whether the last read got all that there was. */
    boolean isDrained() {
        return isDrained;
    }

    /** Whether the peer has ended the stream and all of it was read. */
    boolean isAtEnd() {
        return isAtEnd;
    }

    /** Whether the stream ended in the middle of a frame. */
    boolean isCutOff() {
        return kept != null || reader.isInFrame();
    }

    /** Delivers nothing from here on, even when called by the handler that is being delivered to. */
    void close() {
        isClosed = true;
        reader.stop();
        if (!isBusy) {
            release();
        }
    }

    private void release() {
        if (kept != null) {
            pool.give(kept);
            kept = null;
        }
    }
}
