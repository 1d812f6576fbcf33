package io.penstock.transport.rdma;

import io.penstock.transport.BasicConnection;
import io.penstock.transport.LentMemory;
import io.penstock.transport.RemoteMemory;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.rdma.verbs.Completions;
import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import java.io.IOException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** One end of a connection. Owned by the agent of its transport. */
final class RdmaConnection extends BasicConnection {
    private final RdmaTransport transport;
    private final TransportContext context;
    private final TransportCounters counters;
    private final Link link;
    private final VerbsEndpoint endpoint;
    private final Scratch scratch;
    private final SendRing outbound;
    private final ReceiveRing inbound;
    private final ReceivedFrames frames;
    private final ConnectionEnd end = new ConnectionEnd();

    /** Where other threads ask for the peer's memory; made when it is first asked for. */
    private @Nullable PullPort pulls;

    private boolean isBlocked;
    private boolean isRefused;
    private boolean isDelivering;
    private boolean isGivenBack;

    RdmaConnection(
            final RdmaTransport transport,
            final TransportContext context,
            final Scratch scratch,
            final Link link,
            final long id) {
        super(id, link.peerText(), link.isLocal(), Chunks.PART_LENGTH_MAX);
        this.transport = transport;
        this.context = context;
        this.counters = context.counters();
        this.scratch = scratch;
        this.link = link;
        this.endpoint = link.endpoint();
        final UnsafeBuffer memory =
                new UnsafeBuffer(link.block().address(), link.block().length());
        outbound = new SendRing(scratch, link, memory);
        inbound = new ReceiveRing(scratch, link, memory);
        frames = new ReceivedFrames(context, inbound, memory);
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
        final int length = headerLength + bodyLength;
        final int frameLength = length + remaining;
        checkPart(length, remaining);
        if (isClosed() || isEnding()) {
            return CLOSED;
        }
        final int copiedLength = outbound.write(
                header, headerOffset, headerLength, body, bodyOffset, bodyLength, frameLength, offeredPosition());
        if (copiedLength == SendRing.NO_SLOT) {
            isBlocked = true;
            return BACK_PRESSURED;
        }
        counters.onCopied(copiedLength);
        return onTaken(length, remaining);
    }

    /** All that was offered, whether it is sent or not. */
    private long offeredPosition() {
        return super.completedPosition();
    }

    @Override
    public long completedPosition() {
        return isClosed() ? offeredPosition() : outbound.completedPosition(offeredPosition());
    }

    @Override
    public boolean isBlocked() {
        return isBlocked && !isClosed() && !isEnding() && !outbound.hasRoom();
    }

    @Override
    public boolean isFlushed() {
        return isClosed() || !outbound.isPending();
    }

    @Override
    public LentMemory lendMemory(final int length) throws IOException {
        return OwnMemory.make(link.pool().registrar(), length);
    }

    @Override
    public RemoteMemory remoteMemory(final String key, final long length) throws IOException {
        if (pulls == null) {
            pulls = new PullPort(transport::wakeup);
        }
        return OwnMemory.of(pulls, link, key, length);
    }

    @Override
    public void close() {
        if (isClosed()) {
            return;
        }
        final boolean isGone = end.isFailed() || link.isDisconnected();
        if (!isGone) {
            outbound.seal();
            send();
        }
        final boolean isSent = awaitBodies();
        markClosed();
        if (isGone || !isSent) {
            link.last(true, 0);
        } else {
            link.last(false, outbound.postLast(inbound.owed()));
        }
        transport.onClosed();
        if (!isDelivering) {
            giveBack();
        }
    }

    /**
     * Waits until no body is on its way: their memory is used again when this is closed. A peer that does not take them in
     * time is left at once. Returns whether all were sent.
     */
    private boolean awaitBodies() {
        final long startNs = System.nanoTime();
        while (outbound.completedPosition(offeredPosition()) < offeredPosition()) {
            if (link.isDisconnected() || end.isQueueBroken()) {
                return false;
            }
            if (end.isFailed() || System.nanoTime() - startNs > SentBodies.WAIT_NS) {
                transport.breakOff(link);
                return false;
            }
            reap();
        }
        return true;
    }

    /** The memory and the queues are the control thread's from now on. */
    private void giveBack() {
        if (!isGivenBack) {
            isGivenBack = true;
            transport.control().bury(link);
        }
    }

    /** Posts what was offered. Returns 1 if it posted something. */
    int flush() {
        if (isClosed() || !outbound.isPending()) {
            return 0;
        }
        outbound.seal();
        return send() ? 1 : 0;
    }

    private boolean send() {
        boolean isSent = false;
        int length;
        while ((length = outbound.post(inbound.owed())) > 0) {
            inbound.onReturned();
            counters.onSent(length);
            isSent = true;
        }
        if (outbound.isRefused()) {
            end.fail("the device takes no more requests");
        }
        return isSent;
    }

    /** Takes completions; delivers nothing. Returns how many there were. */
    int reap() {
        if (isClosed()) {
            return 0;
        }
        final Completions completions = scratch.completions;
        int sum = 0;
        int count;
        do {
            count = endpoint.poll(completions);
            for (int i = 0; i < count; i++) {
                onCompletion(completions, i);
            }
            sum += Math.max(0, count);
        } while (count == completions.capacity());
        if (count < 0) {
            end.fail("its queue of completions is broken: errno " + -count);
        }
        return sum;
    }

    private void onCompletion(final Completions completions, final int index) {
        final int status = completions.status(index);
        final long requestId = completions.id(index);
        if (pulls != null && SendRing.isRead(requestId)) {
            pulls.onCompleted((int) requestId, status == Completions.SUCCESS);
        }
        if (status != Completions.SUCCESS) {
            end.breakQueue(Completions.text(status) + ", vendor's error " + completions.vendorError(index));
        } else if (SendRing.isReceive(requestId)) {
            onArrived((int) requestId, completions.length(index));
        } else if (!SendRing.isRead(requestId)) {
            outbound.onCompleted(requestId);
        }
    }

    private void onArrived(final int slot, final int length) {
        if (!inbound.onArrived(slot, length)) {
            violate("a chunk has a bad length: " + length);
            return;
        }
        counters.onReceived(length);
        final int credits = inbound.credits(slot);
        final int flags = inbound.flags(slot);
        if (!outbound.onCredits(credits, link.peerSlotCount()) || (flags & ~Chunks.LAST) != 0) {
            violate("credits or flags cannot be: " + credits + ", " + flags);
        }
        if ((flags & Chunks.LAST) != 0) {
            end.onPeerClosed();
        }
    }

    private void violate(final String what) {
        if (!end.isFailed()) {
            counters.onProtocolError();
            end.fail(what);
        }
    }

    boolean isArmed() {
        return isClosed() || endpoint.isArmed();
    }

    void arm() {
        endpoint.arm();
    }

    /**
     * Whether a poll has something to do. What the handler refused is not ready: only the owner knows when there is room
     * for it. What completions that were taken meanwhile allow to be posted is.
     */
    boolean isReady() {
        if (isClosed()) {
            return false;
        }
        if (inbound.isPostPending() || (isBlocked && outbound.hasRoom())) {
            return true;
        }
        final boolean isEnding = isEnding();
        return isEnding
                ? !isRefused
                : outbound.canPost()
                        || (pulls != null && pulls.canPost())
                        || (inbound.shouldReturn() && outbound.canPostControl())
                        || (!isRefused && !inbound.isEmpty());
    }

    /** Whether nothing can be sent any more. */
    private boolean isEnding() {
        return end.isDue() || link.isDisconnected();
    }

    /** Returns the fragments delivered, and one more when the connection has ended or sent something. */
    int poll(final int limit) {
        if (isClosed()) {
            return 0;
        }
        // Looked at first: what the peer sent before it went is found below.
        final boolean isGone = link.isDisconnected();
        reap();
        if (isBlocked && outbound.hasRoom()) {
            isBlocked = false;
        }
        int workCount = inbound.isEmpty() ? 0 : deliver(limit);
        if (isClosed()) {
            return workCount;
        }
        if (!inbound.repost() && !end.isFailed() && !isGone) {
            end.fail("the device takes no more receives");
        }
        if (!end.isDue() && !isGone) {
            workCount += send() ? 1 : 0;
            workCount += pulls == null ? 0 : outbound.postReads(pulls);
            if (inbound.shouldReturn() && outbound.postControl(inbound.owed())) {
                inbound.onReturned();
            }
        }
        if ((end.isDue() || isGone) && inbound.isEmpty()) {
            disconnect(isGone);
            workCount++;
        }
        return workCount;
    }

    private int deliver(final int limit) {
        int fragmentCount = 0;
        isDelivering = true;
        try {
            while (fragmentCount < limit && !isClosed() && !inbound.isEmpty() && deliver()) {
                fragmentCount++;
            }
        } finally {
            isDelivering = false;
            if (isClosed()) {
                giveBack();
            }
        }
        return fragmentCount;
    }

    private boolean deliver() {
        // A fragment for which the handler throws counts as taken.
        isRefused = false;
        final boolean isTaken = frames.deliver(this);
        isRefused = !isTaken;
        final String wrong = frames.wrong();
        if (wrong != null) {
            dropBroken(wrong);
        }
        return isTaken;
    }

    /** Chunks after one that breaks the rules are dropped. */
    private void dropBroken(final String what) {
        violate(what);
        if (!isClosed()) {
            disconnect(false);
        }
    }

    private void disconnect(final boolean isGone) {
        final String reason = end.reason(isGone || link.isDisconnected());
        close();
        context.handler().onDisconnect(this, reason);
    }
}
