package io.penstock.transport.stream;

import io.penstock.transport.BasicConnection;
import io.penstock.transport.PeerIdentity;
import io.penstock.transport.ReadyListener;
import io.penstock.transport.TransportContext;
import java.io.IOException;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** A socket with frames in both directions. Owned by the agent of its transport. */
final class StreamConnection extends BasicConnection implements FragmentSink, ReadyListener {
    private final StreamTransport transport;
    private final TransportContext context;
    private final StreamSocket socket;
    private final FrameReader reader;
    private final FrameReceiver receiver;
    private final SendBatch batch;

    private int listIndex;
    private @Nullable String writeError;
    private boolean isDirty;
    private boolean isQueued;
    private boolean isRefused;
    private boolean isReadable;
    private boolean isDeaf;

    StreamConnection(
            final StreamTransport transport,
            final TransportContext context,
            final StreamSocket socket,
            final String peer,
            final boolean isLocal,
            final int sendLengthMax,
            final long id) {
        super(id, peer, isLocal, SendBatch.PART_LENGTH_MAX);
        this.transport = transport;
        this.context = context;
        this.socket = socket;
        this.reader = new FrameReader(this, context.frameLengthMax());
        this.receiver = new FrameReceiver(reader, transport.pool(), socket, context.counters());
        this.batch =
                new SendBatch(transport.pool(), socket, context.counters(), transport.gatherLengthMin(), sendLengthMax);
        socket.listener(this);
        socket.interest(true, false);
    }

    @Override
    public long offer(
            final DirectBuffer header,
            final int headerOffset,
            final int headerLength,
            final DirectBuffer body,
            final int bodyOffset,
            final int bodyLength,
            final int remaining) {
        if (isClosed() || writeError != null) {
            return CLOSED;
        }
        final int length = headerLength + bodyLength;
        checkPart(length, remaining);
        if (batch.isBlocked()) {
            return BACK_PRESSURED;
        }
        final int prefix = isBetweenFrames() ? length + remaining : -1;
        try {
            batch.add(prefix, header, headerOffset, headerLength, body, bodyOffset, bodyLength);
        } catch (final IOException ex) {
            onWriteError(ex);
            return CLOSED;
        }
        afterSend();
        return onTaken(length, remaining);
    }

    @Override
    public boolean isBlocked() {
        return batch.isBlocked();
    }

    @Override
    public PeerIdentity peerIdentity() {
        return socket.peerIdentity();
    }

    private void afterSend() {
        if (batch.isBlocked()) {
            updateInterest();
        } else if (!batch.isEmpty() && !isDirty) {
            isDirty = true;
            transport.onDirty(this);
        }
    }

    @Override
    public boolean isFlushed() {
        return batch.isEmpty();
    }

    @Override
    public void close() {
        if (isClosed()) {
            return;
        }
        markClosed();
        if (writeError == null) {
            try {
                batch.flush();
            } catch (final IOException ex) {
                // Nobody is left to be notified: the owner gives the connection up in any case.
                writeError = SocketErrors.reasonOf(ex);
            }
        }
        batch.release();
        receiver.close();
        socket.close();
        transport.onClosed(this, isDirty);
    }

    int listIndex() {
        return listIndex;
    }

    void listIndex(final int index) {
        listIndex = index;
    }

    /** Called once for each time this connection became dirty. */
    void flush() {
        isDirty = false;
        if (!isClosed() && !batch.isBlocked()) {
            send();
        }
    }

    private void send() {
        try {
            batch.flush();
        } catch (final IOException ex) {
            onWriteError(ex);
        }
        updateInterest();
    }

    /** The peer takes nothing any more. What it sent before is still to be read, up to the end that follows it. */
    private void onWriteError(final IOException ex) {
        writeError = SocketErrors.reasonOf(ex);
        batch.release();
        isReadable = true;
        enqueue();
    }

    @Override
    public void onReady(final boolean readable, final boolean writable) {
        if (readable && isRefused) {
            // Readiness to read was not asked for, so this is an error or a hang-up, which would be reported again for
            // ever.
            isDeaf = true;
            socket.deregister();
        }
        isReadable |= readable;
        enqueue();
    }

    private void enqueue() {
        if (!isQueued) {
            isQueued = true;
            transport.onReady(this);
        }
    }

    private void updateInterest() {
        if (!isClosed() && !isDeaf) {
            socket.interest(!isRefused, batch.isBlocked());
        }
    }

    /** Sends and receives as far as this connection is ready. Returns the work done. */
    int work(final Chunk shared, final int frameLimit) {
        isQueued = false;
        int workCount = 0;
        if (!isClosed() && batch.isBlocked()) {
            send();
            workCount++;
        }
        if (!isClosed() && isReadable && !isRefused) {
            workCount += receive(shared, frameLimit);
        }
        return workCount;
    }

    private int receive(final Chunk shared, final int frameLimit) {
        isReadable = false;
        int fragmentCount = 0;
        @Nullable String end = null;
        try {
            fragmentCount = receiver.receive(shared, frameLimit);
            end = receiver.isAtEnd() ? "closed by peer" : null;
        } catch (final IOException ex) {
            end = SocketErrors.reasonOf(ex);
        } finally {
            onReceived();
        }
        if (end == null && receiver.isDrained()) {
            end = writeError;
        }
        if (!isClosed() && end != null) {
            disconnect(receiver.isCutOff() ? end + " in the middle of a frame" : end);
            fragmentCount++;
        } else if (!isClosed() && isDeaf) {
            // It is not notified again that there is more, so it reads on, up to the end.
            isReadable = true;
            if (!isRefused) {
                enqueue();
            }
        } else if (!isClosed() && !isRefused && !receiver.isDrained()) {
            isReadable = true;
            enqueue();
        }
        return fragmentCount;
    }

    /** Offers what was refused once more. Returns the fragments delivered. */
    int retry() {
        if (isClosed()) {
            return 0;
        }
        isRefused = false;
        try {
            return receiver.retry();
        } finally {
            onReceived();
            if (!isClosed() && !isRefused) {
                updateInterest();
                if (isReadable) {
                    enqueue();
                }
            }
        }
    }

    private void onReceived() {
        if (isClosed()) {
            return;
        }
        if (reader.isBad()) {
            context.counters().onProtocolError();
            disconnect("frame length is out of range: " + reader.badLength() + " (the limit is "
                    + context.frameLengthMax()
                    + (isTlsHello(reader.badLength()) ? "; the peer speaks TLS, which this endpoint does not)" : ")"));
        } else if (receiver.isRefused()) {
            isRefused = true;
            transport.onRefused(this);
            updateInterest();
        }
    }

    /** Whether what stands in the place of a length begins a handshake of TLS: its type, and its version. */
    private boolean isTlsHello(final int length) {
        return !socket.peerIdentity().isEncrypted() && (length & 0xFF_FF_FF) == 0x01_03_16;
    }

    @Override
    public boolean onFragment(
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        return context.handler().onFragment(this, buffer, offset, length, frameOffset, frameLength);
    }

    private void disconnect(final String reason) {
        close();
        context.handler().onDisconnect(this, reason);
    }
}
