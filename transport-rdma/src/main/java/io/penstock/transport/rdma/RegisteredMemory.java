package io.penstock.transport.rdma;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Memory that a device knows, or a part of it, as one user holds it. Any thread.
 */
public final class RegisteredMemory implements AutoCloseable {
    private final long address;
    private final long length;
    private final int localKey;
    private final int remoteKey;
    private final AtomicReference<@Nullable Runnable> release;

    RegisteredMemory(
            final long address, final long length, final int localKey, final int remoteKey, final Runnable release) {
        this.address = address;
        this.length = length;
        this.localKey = localKey;
        this.remoteKey = remoteKey;
        this.release = new AtomicReference<>(release);
    }

    /**
     * Where it begins.
     *
     * @return the address of the first byte.
     */
    public long address() {
        return address;
    }

    /**
     * How much it is.
     *
     * @return bytes.
     */
    public long length() {
        return length;
    }

    /**
     * The key for requests of this side.
     *
     * @return the key.
     */
    public int localKey() {
        return localKey;
    }

    /**
     * The key for requests of a peer.
     *
     * @return the key.
     */
    public int remoteKey() {
        return remoteKey;
    }

    /** Gives it up; the last user's call unregisters it. Idempotent. */
    @Override
    public void close() {
        final Runnable once = release.getAndSet(null);
        if (once != null) {
            once.run();
        }
    }
}
