package io.penstock.transport.rdma.disni;

import com.ibm.disni.util.MemBuf;
import com.ibm.disni.util.MemoryAllocation;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The memory of prepared calls that were freed. DiSNI keeps one piece of each length and leaves all others to the
 * garbage collector, so memory outside of the heap would grow with connections that come and go until that runs. This
 * replaces DiSNI's table, and keeps many pieces. The garbage collector frees those beyond the bound. Any thread.
 */
final class SpareBuffers extends ConcurrentSkipListMap<Integer, MemBuf> {
    private static final long serialVersionUID = 1;
    private static final long LENGTH_MAX = 16 * 1024 * 1024;

    private final transient HashMap<Integer, ArrayDeque<MemBuf>> spares = new HashMap<>();
    private long length;

    /** Puts it in the place of DiSNI's own, once. */
    static synchronized void install() throws IOException {
        try {
            final Field table = MemoryAllocation.class.getDeclaredField("table");
            table.setAccessible(true);
            if (!(table.get(MemoryAllocation.getInstance()) instanceof SpareBuffers)) {
                table.set(MemoryAllocation.getInstance(), new SpareBuffers());
            }
        } catch (final ReflectiveOperationException | RuntimeException e) {
            throw new IOException("not DiSNI as we know it: " + e + " (use com.ibm.disni:disni:2.1)", e);
        }
    }

    /** DiSNI takes a piece. */
    @Override
    public synchronized @Nullable MemBuf remove(final Object bufferLength) {
        final ArrayDeque<MemBuf> same = spares.get(bufferLength);
        final MemBuf buffer = same == null ? null : same.poll();
        if (buffer != null) {
            length -= buffer.size();
        }
        return buffer;
    }

    /** DiSNI gives a piece back. */
    @Override
    public synchronized @Nullable MemBuf putIfAbsent(final Integer bufferLength, final MemBuf buffer) {
        if (length + buffer.size() <= LENGTH_MAX) {
            length += buffer.size();
            spares.computeIfAbsent(bufferLength, each -> new ArrayDeque<>()).add(buffer);
        }
        return null;
    }
}
