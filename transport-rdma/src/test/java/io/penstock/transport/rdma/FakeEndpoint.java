package io.penstock.transport.rdma;

import io.penstock.transport.rdma.verbs.Completions;
import io.penstock.transport.rdma.verbs.ReceiveRequests;
import io.penstock.transport.rdma.verbs.SendRequests;
import io.penstock.transport.rdma.verbs.VerbsDevice;
import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import io.penstock.transport.rdma.verbs.VerbsHandler.Failure;
import java.net.InetSocketAddress;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** One end of a connection over a {@link FakeFabric}. */
final class FakeEndpoint implements VerbsEndpoint {
    private static final int ENOMEM = 12;
    private static final int REMOTE_ACCESS_ERROR = 10;

    private final FakeFabric fabric;
    private final FakeVerbs verbs;
    private final InetSocketAddress localAddress;
    private final InetSocketAddress peerAddress;
    private @Nullable FakeEndpoint peer;
    private @Nullable FakeQueue queue;
    private long[] receiveIds = {};
    private long[] receiveAddresses = {};
    private int[] receiveLengths = {};
    private long receivesPosted;
    private long receivesUsed;
    private int sendCapacity;
    private int sendsOutstanding;
    private int unsignalled;
    private boolean isArmed;
    private boolean isBroken;
    private boolean isClosed;
    private boolean isEndReported;

    /** The next sends are refused, as by a full queue. */
    boolean isFull;

    FakeEndpoint(
            final FakeFabric fabric,
            final FakeVerbs verbs,
            final InetSocketAddress localAddress,
            final InetSocketAddress peerAddress) {
        this.fabric = fabric;
        this.verbs = verbs;
        this.localAddress = localAddress;
        this.peerAddress = peerAddress;
        synchronized (fabric) {
            fabric.endpoints.add(this);
        }
    }

    @Override
    public VerbsDevice device() {
        return fabric;
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public InetSocketAddress peerAddress() {
        fabric.checkAddress();
        return peerAddress;
    }

    @Override
    public void open(final int sends, final int receives, final int inlineLength) {
        sendCapacity = sends;
        receiveIds = new long[receives];
        receiveAddresses = new long[receives];
        receiveLengths = new int[receives];
        queue = new FakeQueue(fabric, sends + receives);
    }

    private FakeQueue queue() {
        if (queue == null) {
            throw new AssertionError("not open");
        }
        return queue;
    }

    @Override
    public int inlineLength() {
        return FakeFabric.INLINE_LENGTH;
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Whether it reads and writes no memory any more. */
    boolean isBroken() {
        synchronized (fabric) {
            return isBroken;
        }
    }

    @Override
    public void connect(final DirectBuffer buffer, final int offset, final int length) {
        final UnsafeBuffer hello = FakeVerbs.copy(buffer, offset, length);
        synchronized (fabric) {
            final FakeListener listener = fabric.listener(peerAddress.getPort());
            if (fabric.isDeaf) {
                return;
            }
            if (listener == null) {
                fail(Failure.NOBODY_LISTENS, hello);
                return;
            }
            final FakeEndpoint other = new FakeEndpoint(
                    fabric, listener.verbs, /* localAddress= */ peerAddress, /* peerAddress= */ localAddress);
            other.peer = this;
            peer = other;
            listener.verbs.report(handler -> handler.onRequest(listener, other, hello, 0, hello.capacity()));
        }
    }

    private void fail(final Failure failure, final UnsafeBuffer reason) {
        verbs.report(handler -> {
            if (!isClosed) {
                handler.onFailed(this, failure, 0, reason, 0, reason.capacity());
            }
        });
    }

    @Override
    public void accept(final DirectBuffer buffer, final int offset, final int length) {
        final UnsafeBuffer hello = FakeVerbs.copy(buffer, offset, length);
        established(hello);
        if (peer != null) {
            peer.established(hello);
        }
    }

    private void established(final UnsafeBuffer hello) {
        verbs.report(handler -> {
            if (!isClosed) {
                handler.onEstablished(this, hello, 0, hello.capacity());
            }
        });
    }

    @Override
    public void reject(final DirectBuffer buffer, final int offset, final int length) {
        if (peer != null) {
            peer.fail(Failure.REJECTED, FakeVerbs.copy(buffer, offset, length));
        }
    }

    @Override
    public void disconnect() {
        synchronized (fabric) {
            breakDown();
            notifyEnd();
            if (peer != null) {
                peer.notifyEnd();
            }
        }
    }

    private void notifyEnd() {
        if (!isEndReported) {
            isEndReported = true;
            verbs.report(handler -> {
                if (!isClosed) {
                    handler.onDisconnected(this);
                }
            });
        }
    }

    /** As a device does with all that is posted when a connection ends. */
    private void breakDown() {
        if (!isBroken && queue != null) {
            isBroken = true;
            while (receivesUsed < receivesPosted) {
                final int index = (int) (receivesUsed++ % receiveIds.length);
                complete(receiveIds[index], Completions.FLUSHED, Completions.RECEIVED, 0);
            }
        }
    }

    /** The process at the other end is killed, or its machine loses power and nobody says so. */
    void die(final boolean isReported) {
        synchronized (fabric) {
            breakDown();
            if (peer != null && isReported) {
                peer.notifyEnd();
            }
        }
    }

    @Override
    public void close() {
        synchronized (fabric) {
            isClosed = true;
            breakDown();
            if (peer != null) {
                peer.notifyEnd();
            }
        }
    }

    @Override
    public int postSends(final SendRequests requests, final int count) {
        synchronized (fabric) {
            FakeFabric.check(!isClosed, "not closed");
            for (int i = 0; i < count; i++) {
                if (isFull || (sendsOutstanding == sendCapacity && !isBroken)) {
                    return i > 0 ? i : -ENOMEM;
                }
                post(requests, i);
            }
            return count;
        }
    }

    private void post(final SendRequests requests, final int index) {
        final boolean isSignalled = (requests.flags(index) & SendRequests.SIGNALLED) != 0;
        final int length = requests.length(index);
        if ((requests.flags(index) & SendRequests.INLINE) == 0 && length > 0) {
            FakeFabric.check(
                    fabric.isRegistered(requests.address(index), length, requests.localKey(index)), "registered");
        } else {
            FakeFabric.check(length <= FakeFabric.INLINE_LENGTH, "inline");
        }
        final int secondLength = requests.secondLength(index);
        if (secondLength > 0) {
            FakeFabric.check(
                    fabric.isRegistered(requests.secondAddress(index), secondLength, requests.secondLocalKey(index)),
                    "the second piece registered");
            FakeFabric.check((requests.flags(index) & SendRequests.INLINE) == 0, "not inline");
        }
        final long id = requests.id(index);
        sendsOutstanding++;
        unsignalled++;
        if (isBroken || peer == null) {
            complete(id, Completions.FLUSHED, Completions.SENT, 0);
            return;
        }
        int status = Completions.SUCCESS;
        if (requests.operation(index) == SendRequests.SEND) {
            status = peer.isBroken ? Completions.RETRIES_EXCEEDED : peer.receive(requests, index);
        } else if (requests.operation(index) == SendRequests.READ) {
            status = read(requests, index);
        } else {
            FakeFabric.check(length == 0, "only the last request is none for a receive");
        }
        if (status != Completions.SUCCESS) {
            complete(id, status, Completions.SENT, 0);
            breakDown();
        } else if (isSignalled) {
            complete(id, status, Completions.SENT, 0);
        }
    }

    private int read(final SendRequests requests, final int index) {
        final int length = requests.length(index);
        if (!fabric.isRegistered(requests.remoteAddress(index), length, requests.remoteKey(index))) {
            return REMOTE_ACCESS_ERROR;
        }
        fabric.copy(requests.remoteAddress(index), requests.address(index), length);
        return Completions.SUCCESS;
    }

    private int receive(final SendRequests requests, final int request) {
        final int firstLength = requests.length(request);
        final int length = firstLength + requests.secondLength(request);
        if (receivesUsed == receivesPosted) {
            return Completions.NO_RECEIVE;
        }
        final int index = (int) (receivesUsed++ % receiveIds.length);
        FakeFabric.check(length <= receiveLengths[index], "room in the receive");
        fabric.copy(requests.address(request), receiveAddresses[index], firstLength);
        fabric.copy(requests.secondAddress(request), receiveAddresses[index] + firstLength, length - firstLength);
        complete(receiveIds[index], Completions.SUCCESS, Completions.RECEIVED, length);
        return Completions.SUCCESS;
    }

    private void complete(final long id, final int status, final int operation, final int length) {
        queue().add(id, status, operation, length);
        if (operation == Completions.SENT) {
            sendsOutstanding -= unsignalled;
            unsignalled = 0;
        }
        if (isArmed) {
            isArmed = false;
            verbs.wakeupCompletions();
        }
    }

    @Override
    public int postReceives(final ReceiveRequests requests, final int count) {
        synchronized (fabric) {
            FakeFabric.check(!isClosed, "not closed");
            for (int i = 0; i < count; i++) {
                FakeFabric.check(
                        fabric.isRegistered(requests.address(i), requests.length(i), requests.localKey(i)),
                        "registered");
                if (isBroken) {
                    complete(requests.id(i), Completions.FLUSHED, Completions.RECEIVED, 0);
                    continue;
                }
                if (receivesPosted - receivesUsed == receiveIds.length) {
                    return i > 0 ? i : -ENOMEM;
                }
                final int index = (int) (receivesPosted++ % receiveIds.length);
                receiveIds[index] = requests.id(i);
                receiveAddresses[index] = requests.address(i);
                receiveLengths[index] = requests.length(i);
            }
            return count;
        }
    }

    /** The queue yields a completion that says so, as when the device gives up. */
    void fail(final int status) {
        synchronized (fabric) {
            complete(0, status, Completions.SENT, 0);
            breakDown();
        }
    }

    @Override
    public int poll(final Completions completions) {
        synchronized (fabric) {
            FakeFabric.check(!isClosed, "not closed");
            return queue().poll(completions);
        }
    }

    @Override
    public void arm() {
        synchronized (fabric) {
            isArmed = true;
            if (queue().isLate()) {
                // Those that are not seen yet have not happened for who polls.
                isArmed = false;
                verbs.wakeupCompletions();
            }
        }
    }

    @Override
    public boolean isArmed() {
        synchronized (fabric) {
            return isArmed;
        }
    }
}
