package io.penstock.transport.stream.tls;

import io.penstock.transport.PeerIdentity;
import io.penstock.transport.ReadyListener;
import io.penstock.transport.stream.Chunk;
import io.penstock.transport.stream.SocketErrors;
import io.penstock.transport.stream.StreamSocket;
import io.penstock.transport.tls.TlsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** A socket that speaks TLS over one of a medium. Owned by the agent of the transport. */
final class TlsStreamSocket implements StreamSocket, ReadyListener {
    private final TlsSocketLoop loop;
    private final StreamSocket medium;

    /** The other end, as it was asked for or has come. */
    private final InetSocketAddress peer;

    /** That has accepted it; null when connected. */
    private final @Nullable TlsListenSocket acceptedBy;

    /** Made when the peer has something to say, or is to be told something. */
    private @Nullable TlsEngine engine;

    private @Nullable ReadyListener listener;
    private State state = State.CONNECTING;
    private PeerIdentity identity = PeerIdentity.UNKNOWN;
    private @Nullable TlsException failure;
    private long deadlineNs;
    private boolean isReading;
    private boolean isActive;
    private boolean isComputing;

    private enum State {
        CONNECTING,
        HANDSHAKING,
        OPEN,
        FAILED,
        CLOSED
    }

    private TlsStreamSocket(
            final TlsSocketLoop loop,
            final StreamSocket medium,
            final InetSocketAddress peer,
            final @Nullable TlsListenSocket acceptedBy) {
        this.loop = loop;
        this.medium = medium;
        this.peer = peer;
        this.acceptedBy = acceptedBy;
        medium.listener(this);
    }

    /** A socket whose medium is about to connect. */
    static TlsStreamSocket connecting(
            final TlsSocketLoop loop, final StreamSocket medium, final InetSocketAddress server) {
        return new TlsStreamSocket(loop, medium, server, null);
    }

    /** Begins the handshake of a peer that has connected; the listening socket hears of its end. */
    static void accepted(final TlsSocketLoop loop, final StreamSocket medium, final TlsListenSocket acceptedBy) {
        final InetSocketAddress peer;
        try {
            peer = medium.remoteAddress();
        } catch (final IOException e) {
            // It is gone already, and has said nothing.
            loop.counters().onHandshakeFailed();
            medium.close();
            return;
        }
        loop.makeRoom(peer.getAddress());
        new TlsStreamSocket(loop, medium, peer, acceptedBy).start();
    }

    private void start() {
        state = State.HANDSHAKING;
        deadlineNs = loop.newDeadlineNs();
        medium.interest(isAccepted(), false);
        loop.onStart(this);
        if (!isAccepted()) {
            // A peer that has connected says something first: until then nothing is made for it.
            activate();
        }
    }

    /** Whether the peer has connected, and not this side. */
    boolean isAccepted() {
        return acceptedBy != null;
    }

    /** Where the other end is. Known as long as a handshake is under way. */
    InetAddress peerAddress() {
        return peer.getAddress();
    }

    @Override
    public void listener(final ReadyListener value) {
        listener = value;
    }

    @Override
    public boolean finishConnect() throws IOException {
        if (state == State.CONNECTING && medium.finishConnect()) {
            start();
        }
        return state != State.CONNECTING;
    }

    @Override
    public InetSocketAddress remoteAddress() throws IOException {
        // Known even if the peer has gone since its handshake: what it sent before is still to be read.
        return acceptedBy == null ? medium.remoteAddress() : peer;
    }

    @Override
    public InetSocketAddress localAddress() throws IOException {
        return medium.localAddress();
    }

    @Override
    public int descriptor() {
        return medium.descriptor();
    }

    @Override
    public PeerIdentity peerIdentity() {
        return identity;
    }

    long deadlineNs() {
        return deadlineNs;
    }

    @Override
    public void onReady(final boolean isReadable, final boolean isWritable) {
        if (state == State.HANDSHAKING) {
            activate();
        } else if (state == State.OPEN) {
            if (isWritable) {
                flush();
            }
            notifyListener(isReadable, isWritable);
        }
    }

    private void activate() {
        if (!isActive && !isComputing) {
            isActive = true;
            loop.activate(this);
        }
    }

    /** Sends what TLS itself has to say, which nobody else would. An error is reported by the read that follows. */
    private void flush() {
        try {
            present().flush();
            updateInterest();
        } catch (final IOException e) {
            notifyListener(true, true);
        }
    }

    private void notifyListener(final boolean isReadable, final boolean isWritable) {
        if (listener != null) {
            listener.onReady(isReadable, isWritable);
        }
    }

    /** Goes on with the handshake. */
    void advance() {
        isActive = false;
        if (state != State.HANDSHAKING) {
            return;
        }
        try {
            TlsEngine present = engine;
            if (present == null) {
                present = new TlsEngine(
                        acceptedBy != null
                                ? loop.contexts().serverEngine()
                                : loop.contexts().clientEngine(peer.getHostString(), peer.getPort()),
                        medium,
                        loop);
                engine = present;
            }
            switch (present.handshake()) {
                case READ -> medium.interest(true, false);
                case WRITE -> medium.interest(false, true);
                case COMPUTE -> compute(present);
                case DONE -> onDone(present);
            }
        } catch (final TlsException e) {
            onFailed(e);
        } catch (final IOException e) {
            onFailed(new TlsException("lost during the handshake: " + SocketErrors.reasonOf(e), e));
        }
    }

    private void compute(final TlsEngine present) throws TlsException {
        final Runnable task = present.task();
        if (task == null) {
            activate();
            return;
        }
        medium.interest(false, false);
        isComputing = true;
        if (!loop.compute(this, task)) {
            isComputing = false;
            throw new TlsException("too many handshakes at once (connect later)");
        }
    }

    /** What the handshake needed is there. */
    void onComputed() {
        isComputing = false;
        if (state == State.HANDSHAKING) {
            activate();
        }
    }

    private void onDone(final TlsEngine present) {
        state = State.OPEN;
        identity = present.identity();
        loop.counters().onHandshake();
        loop.onEnd(this);
        updateInterest();
        if (acceptedBy == null) {
            notifyListener(true, true);
        } else {
            acceptedBy.onDone(this);
            acceptedBy.onRoom();
        }
    }

    /** The time for the handshake is up. */
    void onOverdue() {
        onFailed(new TlsException("the handshake was not done within "
                + TimeUnit.NANOSECONDS.toMillis(loop.contexts().handshakeTimeoutNs())
                + " ms (is it a peer that speaks TLS? raise tls.handshakeTimeoutMs if it is only slow)"));
    }

    /** There are too many of its address, of which it is the oldest. */
    void onCrowdedOut(final int count) {
        onFailed(new TlsException(
                "more than " + count + " handshakes of its address are not done (is it a peer that speaks"
                        + " TLS? raise sessions.sessionCountMax if it has so many clients)"));
    }

    private void onFailed(final TlsException reason) {
        state = State.FAILED;
        failure = reason;
        loop.counters().onHandshakeFailed();
        loop.onEnd(this);
        if (acceptedBy == null) {
            medium.interest(false, false);
            notifyListener(true, false);
        } else {
            loop.listener().onHandshakeFailed(peer, String.valueOf(reason.getMessage()));
            close();
            acceptedBy.onRoom();
        }
    }

    @Override
    public int read(final Chunk chunk, final int offset, final int length) throws IOException {
        if (state != State.OPEN) {
            return ofNone();
        }
        try {
            final int count = present().read(chunk, offset, length);
            if (present().isPending()) {
                updateInterest();
            }
            return count;
        } catch (final TlsException e) {
            loop.counters().onProtocolError();
            throw e;
        }
    }

    private int ofNone() throws TlsException {
        if (failure != null) {
            throw failure;
        }
        return 0;
    }

    @Override
    public boolean hasMore() {
        return engine != null && engine.hasMore();
    }

    @Override
    public int write(final Chunk chunk, final int offset, final int length) throws IOException {
        return state == State.OPEN ? present().writer().write(chunk, offset, length) : ofNone();
    }

    /** Not while its handshake is under way, when nothing is taken at all. */
    @Override
    public boolean canGather(final DirectBuffer body) {
        final ByteBuffer bytes = body.byteBuffer();
        return state == State.OPEN && bytes != null && bytes.isDirect();
    }

    @Override
    public int write(
            final Chunk chunk,
            final int offset,
            final int length,
            final DirectBuffer body,
            final int bodyOffset,
            final int bodyLength)
            throws IOException {
        final ByteBuffer bytes = body.byteBuffer();
        if (bytes == null) {
            throw new IllegalArgumentException("no buffer of bytes to gather from");
        }
        return present().writer().write(chunk, offset, length, bytes, body.wrapAdjustment() + bodyOffset, bodyLength);
    }

    private TlsEngine present() {
        final TlsEngine present = engine;
        if (present == null) {
            throw new IllegalStateException("TLS: the handshake has not begun");
        }
        return present;
    }

    @Override
    public void interest(final boolean isReadingWanted, final boolean isWritingWanted) {
        isReading = isReadingWanted;
        updateInterest();
        if (isReading && (failure != null || (state == State.OPEN && present().isBuffered()))) {
            notifyListener(true, false);
        }
    }

    /** Room is asked for only when records wait for it: without any there is room, or the handshake is not done. */
    private void updateInterest() {
        if (state == State.OPEN) {
            medium.interest(isReading, present().isPending());
        }
    }

    @Override
    public void deregister() {
        medium.deregister();
    }

    @Override
    public void close() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        loop.onEnd(this);
        if (engine != null) {
            engine.close();
        }
        medium.close();
    }
}
