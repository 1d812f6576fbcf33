package io.penstock.bridge.rmi;

import io.penstock.orb.chunk.ChunkFrame;
import io.penstock.orb.chunk.ChunkOutput;
import io.penstock.orb.chunk.ChunkStream;
import io.penstock.transport.PeerIdentity;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A socket that the runtime takes for a connection, and its thread: it gets the calls of a shared connection, one after
 * another, of any caller. Owned by that thread, except {@link #close()}.
 *
 * <p>Of the runtime's protocol it knows how a connection begins, which it does for the runtime and for each caller;
 * that an answer ends with a flush; and that one operation, an acknowledgement to the collector, has no answer.
 */
final class Lane extends Socket {
    private static final int MAGIC = 0x4A524D49;
    private static final short VERSION = 2;
    private static final byte STREAM = 0x4B;
    private static final int ACCEPTED = 0x4E;
    private static final int HEAD_LENGTH = 7;
    private static final int PORT_LENGTH = 4;
    private static final int COLLECTOR_ACK = 0x54;
    private static final int COLLECTOR_ACK_LENGTH = 15;
    /** Head, an empty name of a host, and no port. */
    private static final byte[] OPENING = ByteBuffer.allocate(HEAD_LENGTH + 2 + PORT_LENGTH)
            .putInt(MAGIC)
            .putShort(VERSION)
            .put(STREAM)
            .array();

    private final Lanes lanes;
    private final Lanes.Place place;
    private final CallerSocket socket;
    private final int idleTimeoutMs;
    private final Input in = new Input();
    private final Output out = new Output();
    private @Nullable CallerInput reader;
    private volatile @Nullable ChunkStream stream;
    private volatile boolean isOff;
    private int openedLength;
    private boolean isAnswered;
    private boolean isAcknowledging;
    private long readLength;

    /**
     * Serves nothing yet.
     *
     * @param lanes         give it calls.
     * @param place         among them.
     * @param socket        that is shared.
     * @param idleTimeoutMs longest wait for the client in the middle of a call.
     */
    Lane(final Lanes lanes, final Lanes.Place place, final CallerSocket socket, final int idleTimeoutMs) {
        this.lanes = lanes;
        this.place = place;
        this.socket = socket;
        this.idleTimeoutMs = idleTimeoutMs;
    }

    /** Through which the runtime reads; it may have bytes that were read from here already. */
    void reader(final CallerInput newReader) {
        reader = newReader;
    }

    /** The call waits, for something that takes long or not. */
    void beginWait(final boolean isLong) {
        lanes.beginWait(place, isLong);
    }

    void endWait() {
        lanes.endWait(place);
    }

    /** What the client of the shared connection has proved. */
    PeerIdentity identity() {
        return socket.identity();
    }

    private long deadlineNs() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(idleTimeoutMs);
    }

    @Override
    public InputStream getInputStream() {
        return in;
    }

    @Override
    public OutputStream getOutputStream() {
        return out;
    }

    @Override
    public InetAddress getInetAddress() {
        return socket.caller();
    }

    @Override
    public int getPort() {
        return socket.getPort();
    }

    @Override
    public int getLocalPort() {
        return socket.getLocalPort();
    }

    @Override
    public boolean isClosed() {
        return isOff;
    }

    @Override
    public synchronized void setSoTimeout(final int timeoutMs) {
        // It waits for calls as long as its connection does.
    }

    @Override
    public synchronized int getSoTimeout() {
        return idleTimeoutMs;
    }

    @Override
    public void setTcpNoDelay(final boolean isOn) {
        // The connection is set up already.
    }

    @Override
    public synchronized void close() {
        if (!isOff) {
            isOff = true;
            final ChunkStream known = stream;
            if (known != null) {
                known.reset("bridge: the call was ended (its arguments were refused, or the bridge is closing)");
            }
            lanes.end(place);
        }
    }

    @Override
    public String toString() {
        return "Lane[" + socket + "]";
    }

    /** Gives the runtime one call after another. */
    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            final byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(final byte[] bytes, final int offset, final int count) throws IOException {
            if (openedLength < OPENING.length) {
                final int some = Math.min(count, OPENING.length - openedLength);
                System.arraycopy(OPENING, openedLength, bytes, offset, some);
                openedLength += some;
                return some;
            }
            while (true) {
                final ChunkStream asked = stream;
                final int read;
                if (asked == null || isAnswered || isAcknowledged()) {
                    if (!isNext()) {
                        return -1;
                    }
                    read = readFirst(bytes, offset);
                } else {
                    read = asked.read(bytes, offset, Math.min(count, left()), deadlineNs());
                    lanes.serveOthers();
                    if (read < 0) {
                        isAnswered = true;
                        asked.reset("bridge: the caller has ended");
                    }
                }
                if (read > 0) {
                    readLength += read;
                    return read;
                }
            }
        }

        /** The rest of an acknowledgement, so that no bytes after it are read with it. */
        private int left() {
            return isAcknowledging ? (int) (COLLECTOR_ACK_LENGTH - readLength) : Integer.MAX_VALUE;
        }

        private boolean isAcknowledged() {
            return isAcknowledging && readLength == COLLECTOR_ACK_LENGTH;
        }

        /** There is another call, of the same caller if it has gone on already; false when there will be none. */
        private boolean isNext() {
            final ChunkStream asked = stream;
            if (asked == null || isAnswered || asked.connection().release(asked)) {
                stream = lanes.next(place);
            } else {
                lanes.flush();
            }
            isAnswered = false;
            isAcknowledging = false;
            readLength = 0;
            return stream != null && !isOff;
        }

        /**
         * The beginning of a call; 0 when there is none, since the caller has disconnected or has only introduced
         * itself.
         */
        private int readFirst(final byte[] bytes, final int offset) {
            final ChunkStream asked = stream;
            if (asked == null) {
                return 0;
            }
            try {
                final int first = one(asked);
                if (first == MAGIC >>> 24) {
                    open(asked);
                    // As after an acknowledgement: its call may be there already.
                    isAcknowledging = true;
                    readLength = COLLECTOR_ACK_LENGTH;
                    return 0;
                }
                isAcknowledging = first == COLLECTOR_ACK;
                bytes[offset] = (byte) first;
                return 1;
            } catch (final IOException e) {
                // That caller has disconnected; the lane goes on serving others.
                asked.reset("bridge: " + e.getMessage());
                isAnswered = true;
                return 0;
            }
        }

        private int one(final ChunkStream asked) throws IOException {
            final byte[] one = new byte[1];
            fill(asked, one);
            return one[0] & 0xFF;
        }

        private void fill(final ChunkStream asked, final byte[] bytes) throws IOException {
            final long deadlineNs = deadlineNs();
            int length = 0;
            while (length < bytes.length) {
                final int read = asked.read(bytes, length, bytes.length - length, deadlineNs);
                if (read < 0) {
                    throw new IOException("the caller has ended");
                }
                length += read;
            }
        }

        /** Does for the caller what the runtime does when a connection begins. */
        private void open(final ChunkStream asked) throws IOException {
            final byte[] head = new byte[HEAD_LENGTH - 1];
            fill(asked, head);
            for (int i = 0; i < head.length; i++) {
                if (head[i] != OPENING[i + 1]) {
                    throw new IOException("not RMI's stream protocol (use the JDK's RMI)");
                }
            }
            final ByteArrayOutputStream answer = new ByteArrayOutputStream();
            answer.write(new byte[ChunkFrame.HEADER_LENGTH]);
            final DataOutputStream data = new DataOutputStream(answer);
            data.writeByte(ACCEPTED);
            data.writeUTF(socket.caller().getHostAddress());
            data.writeInt(socket.getPort());
            final byte[] bytes = answer.toByteArray();
            asked.send(
                    bytes,
                    ChunkFrame.HEADER_LENGTH,
                    bytes.length - ChunkFrame.HEADER_LENGTH,
                    ChunkFrame.FLUSH,
                    deadlineNs());
            final int hostLength = one(asked) << 8 | one(asked);
            fill(asked, new byte[hostLength + PORT_LENGTH]);
        }
    }

    /** Answers the caller whose call is served. */
    private final class Output extends ChunkOutput {
        private boolean isBegun;

        @Override
        protected byte[] send(final byte[] bytes, final int offset, final int count, final boolean isFlushed)
                throws IOException {
            final ChunkStream asked = stream;
            if (asked == null) {
                // The runtime accepts the lane; its callers were accepted before.
                return bytes;
            }
            isBegun |= count > 0;
            final boolean isLast = isFlushed && isBegun && isAllRead(asked);
            byte[] next = bytes;
            if (count > 0 || isLast) {
                final int flags = isLast ? ChunkFrame.TURN : isFlushed ? ChunkFrame.FLUSH : 0;
                // When the next answer is not far, both go together.
                next = isLast && lanes.mayDefer()
                        ? asked.defer(bytes, offset, count, flags, deadlineNs())
                        : asked.give(bytes, offset, count, flags, deadlineNs());
            }
            if (isLast) {
                isBegun = false;
                isAnswered = true;
                asked.connection().finish(asked);
            }
            return next;
        }

        private boolean isAllRead(final ChunkStream asked) {
            final CallerInput known = reader;
            return asked.available() == 0 && (known == null || known.isDrained());
        }

        @Override
        protected void sendGathered(final byte[] bytes, final int offset, final int count) throws IOException {
            final ChunkStream asked = stream;
            if (asked != null) {
                isBegun = true;
                asked.sendGathered(bytes, offset, count, deadlineNs());
            }
        }
    }
}
