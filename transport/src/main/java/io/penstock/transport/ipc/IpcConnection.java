package io.penstock.transport.ipc;

import io.penstock.transport.BasicConnection;
import io.penstock.transport.LentMemory;
import io.penstock.transport.PartRules;
import io.penstock.transport.PeerIdentity;
import io.penstock.transport.RemoteMemory;
import io.penstock.transport.TransportContext;
import java.io.IOException;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** One end of a file. Owned by the agent of its transport. */
final class IpcConnection extends BasicConnection {
    private final IpcTransport transport;
    private final TransportContext context;
    private final RingFile file;
    private final Bell bell;
    private final WaitWords words;
    private final UnsafeBuffer copy;
    private final RingWriter outbound;
    private final RingReader inbound;

    private PeerIdentity peer = PeerIdentity.UNKNOWN;
    private int receivedFrameLength;
    private int receivedFrameOffset;
    private boolean isWakePending;
    private boolean isBlocked;
    private boolean isRefused;
    private boolean isPrivate;

    IpcConnection(
            final IpcTransport transport,
            final TransportContext context,
            final RingFile file,
            final Bell bell,
            final @Nullable Futexes futexes,
            final int ownEnd,
            final long id,
            final String peerName) {
        super(id, peerName, true, Records.PART_LENGTH_MAX);
        this.transport = transport;
        this.context = context;
        this.file = file;
        this.bell = bell;
        this.words = new WaitWords(file.buffer(), ownEnd, bell, futexes);
        this.copy = transport.copy();
        this.outbound = new RingWriter(file, ownEnd);
        this.inbound = new RingReader(file, ownEnd, transport.copy());
    }

    /** The kernel has said which user runs the peer. */
    void onPeerKnown(final int userId) {
        peer = new PeerIdentity(false, List.of(), userId);
    }

    /** The directory and the files in it were found to be of this user, and of no other. */
    void onPrivate() {
        isPrivate = true;
    }

    @Override
    public boolean isPrivate() {
        return isPrivate;
    }

    @Override
    public PeerIdentity peerIdentity() {
        return peer;
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
        if (isClosed() || bell.isPeerGone() || outbound.isBroken()) {
            return CLOSED;
        }
        final int length = headerLength + bodyLength;
        final int frameLength = length + remaining;
        checkPart(length, remaining);
        if (!outbound.write(header, headerOffset, headerLength, body, bodyOffset, bodyLength, frameLength)) {
            isBlocked = true;
            return outbound.isBroken() ? CLOSED : BACK_PRESSURED;
        }
        isBlocked = false;
        isWakePending = true;
        context.counters().onCopied(length);
        context.counters().onSent(length);
        return onTaken(length, remaining);
    }

    @Override
    public boolean isBlocked() {
        return isBlocked && !isClosed() && !bell.isPeerGone() && !outbound.isBroken() && !outbound.isHeadNew();
    }

    @Override
    public boolean isFlushed() {
        return !isWakePending;
    }

    @Override
    public LentMemory lendMemory(final int length) throws IOException {
        return MemoryFile.make(file, length);
    }

    @Override
    public RemoteMemory remoteMemory(final String key, final long length) throws IOException {
        return MemoryFile.take(file, key, length);
    }

    @Override
    public void close() {
        if (!isClosed()) {
            markClosed();
            isWakePending = false;
            outbound.publish();
            words.close();
            // In this order: a peer that sees the end finds in the file that it was intended.
            bell.close();
            file.close();
            transport.onClosed();
        }
    }

    /** Shows the peer what was offered since the last time, and rings if it sleeps. */
    int flush() {
        if (!isWakePending || isClosed()) {
            return 0;
        }
        isWakePending = false;
        outbound.publish();
        words.ringForRecords();
        return 1;
    }

    /** Whether both ends ring by futex, or nobody does any more. */
    boolean ringsByFutex() {
        return isClosed() || words.ringByFutex();
    }

    /** Asks the peer to ring by futex; the word of this end is 0 by then. To be followed as the other one. */
    void askToBeWoken(final Futexes waiting) {
        if (!isClosed()) {
            words.waitWith(waiting);
            ask(RingFile.BY_FUTEX);
        }
    }

    /** Asks the peer to ring. To be followed by a full fence and {@link #isReady()}. */
    void askToBeRung() {
        if (!isClosed()) {
            ask(RingFile.BY_SOCKET);
        }
    }

    private void ask(final int how) {
        if (!isRefused) {
            words.askForRecords(how);
        }
        if (isBlocked) {
            words.askForRoom(how);
        }
    }

    /** A refused fragment is not ready: only the owner knows when there is room for it. */
    boolean isReady() {
        if (isClosed()) {
            return false;
        }
        if (isBlocked && outbound.isHeadNew()) {
            isBlocked = false;
            return true;
        }
        return outbound.isBroken() || (!isRefused && (bell.isPeerGone() || !inbound.isEmpty()));
    }

    /** Returns the fragments delivered, and one more when the connection has ended. */
    int poll(final int limit) {
        if (isClosed()) {
            return 0;
        }
        // Looked at first: what the peer wrote before it went is in the ring by then.
        final boolean isPeerGone = bell.isPeerGone();
        int workCount = inbound.isEmpty() ? 0 : read(limit);
        if (!isClosed() && outbound.isBroken()) {
            violate("the head of the ring cannot be");
            workCount++;
        }
        if (isPeerGone && !isClosed() && inbound.isEmpty()) {
            disconnect(
                    words.isPeerClosed()
                            ? "closed by peer"
                            : "peer is gone: its process ended, or it refused the connection");
            workCount++;
        }
        return workCount;
    }

    private int read(final int limit) {
        int fragmentCount = 0;
        try {
            while (fragmentCount < limit && !isClosed()) {
                final int length = inbound.next();
                if (length == RingReader.EMPTY) {
                    break;
                }
                if (length == RingReader.BROKEN) {
                    violate("lengths in the ring cannot be");
                    return fragmentCount + 1;
                }
                if (!deliver(length)) {
                    break;
                }
                fragmentCount++;
            }
        } finally {
            if (!isClosed() && inbound.release()) {
                words.ringForRoom();
            }
        }
        return fragmentCount;
    }

    private boolean deliver(final int length) {
        if (receivedFrameOffset == receivedFrameLength) {
            receivedFrameLength = inbound.frameLength();
            receivedFrameOffset = 0;
        }
        final String wrong =
                PartRules.whatIsWrong(length, receivedFrameOffset, receivedFrameLength, context.frameLengthMax());
        if (wrong != null) {
            violate(wrong);
            return false;
        }
        final int offset = inbound.partOffset();
        // Taken first: if the handler throws, its record is lost.
        inbound.take();
        final int frameOffset = receivedFrameOffset;
        receivedFrameOffset += length;
        isRefused = !context.handler().onFragment(this, copy, offset, length, frameOffset, receivedFrameLength);
        if (isRefused) {
            receivedFrameOffset = frameOffset;
            inbound.putBack();
            return false;
        }
        context.counters().onCopied(length);
        context.counters().onReceived(length);
        return true;
    }

    private void violate(final String what) {
        context.counters().onProtocolError();
        disconnect(what);
    }

    private void disconnect(final String reason) {
        close();
        context.handler().onDisconnect(this, reason);
    }
}
