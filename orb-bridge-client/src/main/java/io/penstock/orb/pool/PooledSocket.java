package io.penstock.orb.pool;

import io.penstock.orb.chunk.ChunkFrame;
import io.penstock.orb.chunk.ChunkOutput;
import io.penstock.orb.chunk.ChunkStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A socket that the RMI runtime takes for a connection of its own: each call that it sends goes on a stream of some
 * connection of the pool. Used by one thread at a time; closed by any.
 */
final class PooledSocket extends Socket {
    private static final int PING = 0x52;
    private static final int PING_ANSWER = 0x53;
    private static final int CALL = 0x50;
    /** Length of the runtime's first bytes of a connection, for which it awaits an answer: they have no other effect. */
    private static final int HEAD_LENGTH = 7;

    private final ConnectionPool pool;
    private final Output output = new Output();
    private final Input input = new Input();
    private volatile ChunkStream stream;
    private volatile boolean isOff;
    private volatile int timeoutMs;
    private long deadlineNs;
    private boolean isPingAnswered;
    // Some of a call was sent, and it was not flushed yet.
    private boolean isMidCall;
    // Whether a call is being sent, and not a message without an answer.
    private boolean isCall;
    // The first bytes of a new connection, until they are answered.
    private byte[] head;

    PooledSocket(final ConnectionPool pool) {
        this.pool = pool;
    }

    @Override
    public InputStream getInputStream() {
        return input;
    }

    @Override
    public OutputStream getOutputStream() {
        return output;
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public boolean isClosed() {
        return isOff;
    }

    @Override
    public InetAddress getInetAddress() {
        return null;
    }

    @Override
    public synchronized void setSoTimeout(final int newTimeoutMs) {
        timeoutMs = newTimeoutMs;
    }

    @Override
    public synchronized int getSoTimeout() {
        return timeoutMs;
    }

    @Override
    public void setTcpNoDelay(final boolean isOn) {
        // The pool's connections are set up when they are made.
    }

    @Override
    public void setKeepAlive(final boolean isOn) {
        // The pool's connections are set up when they are made.
    }

    @Override
    public synchronized void close() {
        isOff = true;
        final ChunkStream known = stream;
        if (known != null) {
            known.reset("pool: the caller has given up");
        }
    }

    @Override
    public String toString() {
        return "PooledSocket[" + (stream == null ? "" : stream.id()) + "]";
    }

    private boolean isAsking() {
        return stream != null && !stream.isDone();
    }

    /**
     * The stream of the call that goes on, whatever has become of it: the rest of a call never begins another. Or a new one.
     */
    private ChunkStream asked(final boolean isFlushed) throws IOException {
        if (isOff) {
            throw new SocketException("pool: the socket is closed");
        }
        if (!isMidCall) {
            deadlineNs = System.nanoTime()
                    + TimeUnit.MILLISECONDS.toNanos(pool.config().callTimeoutMs());
            if (!isAsking()) {
                stream = pool.open(deadlineNs);
                pool.counters().onCall();
            }
        }
        isMidCall = !isFlushed;
        return stream;
    }

    /** A connection may be dead before anybody has noticed: what has done nothing yet is sent again, once. */
    private int readAgain(final byte[] bytes, final int offset, final int count, final IOException reason)
            throws IOException {
        final byte[] again = head;
        head = null;
        if (again == null || isOff) {
            throw reason;
        }
        final byte[] unused = output.send(again, ChunkFrame.HEADER_LENGTH, HEAD_LENGTH, true);
        head = null;
        return input.read(bytes, offset, count);
    }

    private IOException timedOut(final SocketTimeoutException e) {
        pool.counters().onTimeout();
        stream.reset("pool: the caller's time is over");
        return e;
    }

    private final class Output extends ChunkOutput {
        @Override
        protected byte[] send(final byte[] bytes, final int offset, final int count, final boolean isFlushed)
                throws IOException {
            if (count == 0) {
                isMidCall = false;
                return bytes;
            }
            if (count == 1 && bytes[offset] == PING && isPing()) {
                // The runtime asks before each call whether its connection is there; the pool knows.
                isPingAnswered = true;
                pool.counters().onPing();
                return bytes;
            }
            final boolean isHead = stream == null && count == HEAD_LENGTH && isFlushed;
            isCall = isMidCall ? isCall : bytes[offset] == CALL;
            final ChunkStream asked = asked(isFlushed);
            head = isHead ? Arrays.copyOfRange(bytes, offset - ChunkFrame.HEADER_LENGTH, offset + count) : null;
            try {
                // The answer of a call is read next, and that sends it.
                final byte[] next = isFlushed && isCall
                        ? asked.defer(bytes, offset, count, ChunkFrame.FLUSH, deadlineNs)
                        : asked.give(bytes, offset, count, isFlushed ? ChunkFrame.FLUSH : 0, deadlineNs);
                pool.onSent(asked.hasWaited());
                return next;
            } catch (final SocketTimeoutException e) {
                throw timedOut(e);
            }
        }

        /** Whether it can be answered here. */
        private boolean isPing() {
            return stream != null && !isMidCall && !isAsking() && !isOff && pool.isWarm();
        }

        @Override
        protected void sendGathered(final byte[] bytes, final int offset, final int count) throws IOException {
            isCall = isMidCall && isCall;
            final ChunkStream asked = asked(false);
            try {
                asked.sendGathered(bytes, offset, count, deadlineNs);
                pool.onSent(asked.hasWaited());
            } catch (final SocketTimeoutException e) {
                throw timedOut(e);
            }
        }

        @Override
        public void close() {
            PooledSocket.this.close();
        }
    }

    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            final byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(final byte[] bytes, final int offset, final int count) throws IOException {
            if (count == 0) {
                return 0;
            }
            if (isPingAnswered) {
                isPingAnswered = false;
                bytes[offset] = PING_ANSWER;
                return 1;
            }
            final ChunkStream asked = stream;
            if (isOff || asked == null) {
                throw new SocketException(
                        isOff ? "pool: the socket is closed" : "pool: read before anything was written");
            }
            final int known = timeoutMs;
            final long readDeadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(known);
            try {
                final int read = asked.read(
                        bytes,
                        offset,
                        count,
                        known > 0 && readDeadlineNs - deadlineNs < 0 ? readDeadlineNs : deadlineNs);
                head = null;
                return read;
            } catch (final SocketTimeoutException e) {
                throw timedOut(e);
            } catch (final IOException e) {
                return readAgain(bytes, offset, count, e);
            }
        }

        @Override
        public int available() {
            final ChunkStream asked = stream;
            return isPingAnswered ? 1 : asked == null ? 0 : asked.available();
        }

        @Override
        public void close() {
            PooledSocket.this.close();
        }
    }
}
