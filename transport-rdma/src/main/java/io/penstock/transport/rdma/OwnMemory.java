package io.penstock.transport.rdma;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import io.penstock.nativeaccess.NativeLibrary;
import io.penstock.transport.LentMemory;
import io.penstock.transport.rdma.verbs.VerbsDevice;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory that is registered for peers to read. Its key is where it lies and the device's key, which stand in no relation to a
 * connection: who knows both, of those connected to the same device of this process, can read it until it is closed.
 */
final class OwnMemory implements LentMemory {
    private static final Pattern KEY = Pattern.compile("([0-9a-f]{1,16})-([0-9a-f]{1,8})");
    private static final int RADIX = 16;

    private final UnsafeBuffer buffer;
    private final RegisteredMemory memory;
    private boolean isClosed;

    private OwnMemory(final RegisteredMemory memory) {
        this.memory = memory;
        buffer = new UnsafeBuffer(memory.address(), (int) memory.length());
    }

    static OwnMemory make(final MemoryRegistrar registrar, final int length) throws IOException {
        final NativeAccess access = NativeLibrary.get().access();
        final long address = access.memoryMap(-1, length, NativeAccess.MEMORY_POPULATED);
        if (address < 0) {
            throw new IOException(
                    "memory: cannot be mapped: " + length + " bytes: " + NativeErrors.text(access, address));
        }
        try {
            return new OwnMemory(registrar.register(address, length, VerbsDevice.REMOTE_READ));
        } catch (final IOException ex) {
            access.memoryUnmap(address, length);
            throw ex;
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
            buffer.wrap(0, 0);
            memory.close();
            NativeLibrary.get().access().memoryUnmap(memory.address(), memory.length());
        }
    }
}
