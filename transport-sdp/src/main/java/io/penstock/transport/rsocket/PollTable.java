package io.penstock.transport.rsocket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An array of {@code struct pollfd}: {@code int fd; short events; short revents}. The first two are the descriptor
 * to wake by and the timer, the others are sockets, in no order; one that leaves has its place taken by the last.
 */
final class PollTable {
    static final int READABLE = 0x001;
    static final int WRITABLE = 0x004;

    private static final int EVENTS_OFFSET = Integer.BYTES;
    private static final int READY_OFFSET = EVENTS_OFFSET + Short.BYTES;
    private static final int ENTRY_LENGTH = READY_OFFSET + Short.BYTES;
    private static final int CAPACITY_MIN = 64;

    /** The place of the first socket. */
    private static final int FIRST = 2;

    private ByteBuffer memory = allocate(CAPACITY_MIN);
    private final UnsafeBuffer entries = new UnsafeBuffer(memory);
    private @Nullable Entry[] sockets = new Entry[CAPACITY_MIN];
    private int count = FIRST;

    /** A socket in the table. */
    abstract static class Entry {
        private static final int NOWHERE = -1;

        private final int fd;
        private int index = NOWHERE;

        Entry(final int fd) {
            this.fd = fd;
        }

        int descriptor() {
            return fd;
        }

        /** The socket is ready: some of the bits that were asked for, or an error. */
        abstract void onReady(int ready);
    }

    PollTable(final int signal, final int timer) {
        put(0, signal, READABLE);
        put(1, timer, READABLE);
    }

    private static ByteBuffer allocate(final int capacity) {
        return ByteBuffer.allocateDirect(capacity * ENTRY_LENGTH).order(ByteOrder.nativeOrder());
    }

    private void put(final int index, final int fd, final int events) {
        final int offset = index * ENTRY_LENGTH;
        entries.putInt(offset, fd);
        entries.putShort(offset + EVENTS_OFFSET, (short) events);
        entries.putShort(offset + READY_OFFSET, (short) 0);
    }

    void add(final Entry socket) {
        if (count == sockets.length) {
            grow();
        }
        socket.index = count;
        sockets[count] = socket;
        put(count++, socket.fd, 0);
    }

    private void grow() {
        final ByteBuffer old = memory;
        memory = allocate(2 * sockets.length);
        memory.put(old.duplicate().clear());
        entries.wrap(memory.clear());
        BufferUtil.free(old);
        final @Nullable Entry[] all = new Entry[2 * sockets.length];
        System.arraycopy(sockets, 0, all, 0, count);
        sockets = all;
    }

    /** Idempotent. */
    void remove(final Entry socket) {
        final int index = socket.index;
        if (index == Entry.NOWHERE) {
            return;
        }
        socket.index = Entry.NOWHERE;
        count--;
        final Entry last = sockets[count];
        sockets[count] = null;
        if (index < count && last != null) {
            last.index = index;
            sockets[index] = last;
            entries.putBytes(index * ENTRY_LENGTH, entries, count * ENTRY_LENGTH, ENTRY_LENGTH);
        }
    }

    /** Sets what a socket asks for; nothing when it has left. */
    void events(final Entry socket, final int events) {
        if (socket.index != Entry.NOWHERE) {
            entries.putShort(socket.index * ENTRY_LENGTH + EVENTS_OFFSET, (short) events);
        }
    }

    long address() {
        return entries.addressOffset();
    }

    long socketsAddress() {
        return entries.addressOffset() + FIRST * ENTRY_LENGTH;
    }

    int count() {
        return count;
    }

    int socketCount() {
        return count - FIRST;
    }

    boolean isWoken() {
        return entries.getShort(READY_OFFSET) != 0;
    }

    /** Notifies the ready sockets. They only note it, so that no socket is added or removed meanwhile. */
    void report() {
        for (int i = FIRST; i < count; i++) {
            final int ready = entries.getShort(i * ENTRY_LENGTH + READY_OFFSET);
            final Entry socket = sockets[i];
            if (ready != 0 && socket != null) {
                socket.onReady(ready);
            }
        }
    }

    void close() {
        BufferUtil.free(memory);
    }
}
