package io.penstock.transport.rdma;

import io.penstock.transport.RemoteMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Memory that the peer has registered for reading. It is read into a block of the pool, one half of which is filled
 * while the other one is copied. The peer's description of it is not trusted: the device lets a read beyond its
 * registration fail, which ends the connection.
 */
final class PeerMemory implements RemoteMemory {
    private static final int HALVES = 2;

    /** How often a waiting thread checks whether the connection has ended. */
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final UnsafeBuffer bytes = new UnsafeBuffer(0, 0);
    private final PullPort port;
    private final Link link;
    private final long address;
    private final int key;
    private final long length;

    PeerMemory(final PullPort port, final Link link, final long address, final int key, final long length) {
        this.port = port;
        this.link = link;
        this.address = address;
        this.key = key;
        this.length = length;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public void pull(final long offset, final ByteBuffer into) throws IOException {
        if (offset < 0 || into.remaining() > length - offset) {
            throw new IOException(
                    "memory of the peer: out of range: " + into.remaining() + " bytes at " + offset + " of " + length);
        }
        final BlockPool pool = link.pool();
        final BlockPool.Block block = pool.take();
        Pull current = null;
        Pull next = null;
        try {
            final int half = block.length() / HALVES;
            long at = offset;
            int count = 0;
            next = begin(block, count, at, Math.min(half, into.remaining()));
            while (next != null) {
                current = next;
                at += current.length;
                final int left = into.remaining() - current.length;
                next = left > 0 ? begin(block, ++count, at, Math.min(half, left)) : null;
                await(current);
                if (!current.isDone()) {
                    throw new IOException("memory of the peer: cannot be read: " + link.peerText()
                            + " has gone, or has not lent as much");
                }
                bytes.wrap(current.localAddress, current.length);
                bytes.getBytes(0, into, current.length);
            }
        } finally {
            await(current);
            await(next);
            pool.give(block);
        }
    }

    private @Nullable Pull begin(final BlockPool.Block block, final int count, final long at, final int pieceLength)
            throws IOException {
        if (pieceLength == 0) {
            return null;
        }
        final long local = block.address() + (long) (count % HALVES) * (block.length() / HALVES);
        final Pull pull = new Pull(address + at, key, local, block.localKey(), pieceLength);
        if (!port.offer(pull)) {
            throw new IOException("memory of the peer: too many read it at once (use fewer threads)");
        }
        return pull;
    }

    /** Until the device touches the block no more. */
    private void await(final @Nullable Pull pull) {
        boolean isInterrupted = false;
        while (pull != null && !pull.isOver() && !link.isBuried()) {
            LockSupport.parkNanos(this, LOOK_NS);
            isInterrupted |= Thread.interrupted();
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        // Nothing is held between pulls.
    }
}
