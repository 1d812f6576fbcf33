package io.penstock.transport.rdma.shim;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import io.penstock.transport.rdma.verbs.Completions;
import io.penstock.transport.rdma.verbs.ReceiveRequests;
import io.penstock.transport.rdma.verbs.SendRequests;
import io.penstock.transport.rdma.verbs.Verbs;
import io.penstock.transport.rdma.verbs.VerbsDevice;
import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** An id of the connection manager, its pair of queues, and its queue of completions. */
final class ShimEndpoint implements VerbsEndpoint {
    private final UnsafeBuffer scratch = new UnsafeBuffer(ByteBuffer.allocateDirect(2 * Verbs.PRIVATE_LENGTH_MAX));
    private final NativeAccess access;
    private final ShimVerbs verbs;
    private final long id;
    private final int timeoutMs;
    private @Nullable ShimDevice device;
    private long queue;
    private int slot = ShimVerbs.NO_SLOT;
    private int inlineLength;
    private boolean isArmed;
    private boolean isClosed;
    private boolean isDisconnected;

    ShimEndpoint(final NativeAccess access, final ShimVerbs verbs, final long id, final int timeoutMs) {
        this.access = access;
        this.verbs = verbs;
        this.id = id;
        this.timeoutMs = timeoutMs;
    }

    /** The device is known from now on. */
    void find() throws IOException {
        device = ShimDevice.of(access, id);
    }

    int resolveRoute() {
        return access.rdmaResolveRoute(id, timeoutMs);
    }

    /** Whether this is the first report of it. */
    boolean onDisconnected() {
        final boolean isFirst = !isDisconnected;
        isDisconnected = true;
        return isFirst;
    }

    private ShimDevice found() {
        if (device == null) {
            throw new IllegalStateException("rdma: no device before the endpoint is resolved");
        }
        return device;
    }

    @Override
    public VerbsDevice device() {
        return found();
    }

    @Override
    public InetSocketAddress localAddress() {
        return address(0);
    }

    @Override
    public InetSocketAddress peerAddress() {
        return address(1);
    }

    private InetSocketAddress address(final int isPeer) {
        final int length = access.rdmaName(id, isPeer, scratch.addressOffset(), scratch.capacity());
        if (length <= 0) {
            throw new IllegalStateException("rdma: no address before the endpoint is resolved");
        }
        return SocketAddresses.get(scratch, length);
    }

    @Override
    public void open(final int sendCapacity, final int receiveCapacity, final int inlineLengthWanted)
            throws IOException {
        final ShimDevice on = found();
        slot = verbs.take(this);
        queue = access.rdmaQueueOpen(on.address(), verbs.bellOf(on), sendCapacity + receiveCapacity, slot);
        if (queue < 0) {
            final long error = queue;
            queue = 0;
            throw refused(on, "completions: " + (sendCapacity + receiveCapacity), error);
        }
        final int result =
                access.rdmaPairOpen(id, on.domain(), queue, sendCapacity, receiveCapacity, inlineLengthWanted);
        if (result < 0) {
            throw refused(on, "requests: " + sendCapacity + " and " + receiveCapacity, result);
        }
        inlineLength = result;
    }

    private IOException refused(final ShimDevice on, final String what, final long error) {
        return new IOException("rdma: device " + on + " has no queue for " + what + ": "
                + NativeErrors.text(access, error) + " (it has up to " + on.limit(NativeAccess.RDMA_LIMIT_REQUESTS)
                + " requests and " + on.limit(NativeAccess.RDMA_LIMIT_COMPLETIONS)
                + " completions a queue; queues are locked memory, too: see ulimit -l)");
    }

    @Override
    public int inlineLength() {
        return inlineLength;
    }

    @Override
    public void connect(final DirectBuffer buffer, final int offset, final int length) throws IOException {
        check("connect", access.rdmaConnect(id, copied(buffer, offset, length), length));
    }

    @Override
    public void accept(final DirectBuffer buffer, final int offset, final int length) throws IOException {
        check("accept", access.rdmaAccept(id, copied(buffer, offset, length), length));
    }

    @Override
    public void reject(final DirectBuffer buffer, final int offset, final int length) {
        access.rdmaReject(id, copied(buffer, offset, length), length);
    }

    private long copied(final DirectBuffer buffer, final int offset, final int length) {
        if (length > Verbs.PRIVATE_LENGTH_MAX) {
            throw new IllegalArgumentException("rdma: private data too long: " + length);
        }
        scratch.putBytes(0, buffer, offset, length);
        return scratch.addressOffset();
    }

    private void check(final String what, final int result) throws IOException {
        if (result < 0) {
            throw new IOException("rdma: cannot " + what + ": " + NativeErrors.text(access, result));
        }
    }

    @Override
    public void disconnect() {
        // Whether the peer has already disconnected makes no difference.
        access.rdmaDisconnect(id);
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        verbs.close(id);
        if (queue != 0) {
            access.rdmaQueueClose(queue);
        }
        if (slot != ShimVerbs.NO_SLOT) {
            verbs.giveBack(slot);
        }
    }

    @Override
    public int postSends(final SendRequests requests, final int count) {
        return access.rdmaPostSends(id, requests.address(), count);
    }

    @Override
    public int postReceives(final ReceiveRequests requests, final int count) {
        return access.rdmaPostReceives(id, requests.address(), count);
    }

    @Override
    public int poll(final Completions completions) {
        return access.rdmaQueuePoll(queue, completions.address(), completions.capacity());
    }

    @Override
    public void arm() {
        isArmed = access.rdmaQueueArm(queue) == 0;
    }

    @Override
    public boolean isArmed() {
        return isArmed;
    }

    /** Its queue has rung. */
    void onRing() {
        isArmed = false;
    }
}
