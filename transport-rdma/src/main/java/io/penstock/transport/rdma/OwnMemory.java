package io.penstock.transport.rdma;

import io.penstock.transport.LentMemory;
import io.penstock.transport.rdma.verbs.VerbsDevice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory that is registered for peers to read. Its key consists of its address and the device's key, which do not
 * depend on a connection: every peer on the same device of this process that knows both can read the memory until it is
 * closed. The collector frees the memory itself, once it is closed and nobody uses its bytes.
 */
final class OwnMemory implements LentMemory {
    private static final Pattern KEY = Pattern.compile("([0-9a-f]{1,16})-([0-9a-f]{1,8})");
    private static final int RADIX = 16;
    private static final int PAGE_LENGTH = 4096;

    /** All registered memory: the device reads it by its address, even when its lender has forgotten it. */
    private static final Set<OwnMemory> OPEN = ConcurrentHashMap.newKeySet();

    private final UnsafeBuffer buffer;
    private final RegisteredMemory memory;
    private boolean isClosed;

    private OwnMemory(final UnsafeBuffer buffer, final RegisteredMemory memory) {
        this.buffer = buffer;
        this.memory = memory;
        OPEN.add(this);
    }

    static OwnMemory make(final MemoryRegistrar registrar, final int length) throws IOException {
        final UnsafeBuffer buffer = new UnsafeBuffer(allocate(length));
        return new OwnMemory(buffer, registrar.register(buffer.addressOffset(), length, VerbsDevice.REMOTE_READ));
    }

    private static ByteBuffer allocate(final int length) throws IOException {
        if (length > Integer.MAX_VALUE - PAGE_LENGTH) {
            throw new IOException("memory: too long for one buffer: " + length + " bytes (use up to "
                    + (Integer.MAX_VALUE - PAGE_LENGTH) + ")");
        }
        try {
            return BufferUtil.allocateDirectAligned(length, PAGE_LENGTH);
        } catch (final OutOfMemoryError ex) {
            throw new IOException(
                    "memory: no " + length + " bytes outside the heap (raise -XX:MaxDirectMemorySize)", ex);
        }
    }

    /** Takes a peer's key apart: its address, and the device's key. */
    static PeerMemory of(final PullPort port, final Link link, final String key, final long length) throws IOException {
        final Matcher matcher = KEY.matcher(key);
        if (!matcher.matches() || length <= 0) {
            throw new IOException(
                    "not the key of a memory: " + key + " of " + length + " bytes (use the one that was lent)");
        }
        return new PeerMemory(
                port,
                link,
                Long.parseUnsignedLong(matcher.group(1), RADIX),
                Integer.parseUnsignedInt(matcher.group(2), RADIX),
                length);
    }

    @Override
    public String key() {
        return Long.toHexString(memory.address()) + "-" + Integer.toHexString(memory.remoteKey());
    }

    @Override
    public UnsafeBuffer buffer() {
        return buffer;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            memory.close();
            buffer.wrap(0, 0);
            OPEN.remove(this);
        }
    }
}
