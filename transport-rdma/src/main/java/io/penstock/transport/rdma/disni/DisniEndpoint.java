package io.penstock.transport.rdma.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.SVCReqNotify;
import com.ibm.disni.verbs.impl.NatObject;
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
import java.net.SocketAddress;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** An id of DiSNI's connection manager, its pair of queues, its queue of completions, and the prepared calls over them. */
final class DisniEndpoint implements VerbsEndpoint {
    private static final byte RETRY_COUNT = 7;

    /** Not 7, which means for ever. */
    private static final byte NO_RECEIVE_RETRY_COUNT = 6;

    private final NativeAccess access;
    private final DisniVerbs verbs;
    private final RdmaCmId id;
    private final int timeoutMs;
    private @Nullable DisniDevice device;
    private @Nullable Queues queues;
    private int inlineLength;
    private int armedRound;
    private boolean isArmed;
    private boolean isClosed;
    private boolean isDisconnected;

    /** The queues that {@link #open} makes. */
    private record Queues(IbvCQ completions, SendCalls sends, ReceiveCalls receives, PollCall poll, SVCReqNotify arm) {}

    DisniEndpoint(final NativeAccess access, final DisniVerbs verbs, final RdmaCmId id, final int timeoutMs) {
        this.access = access;
        this.verbs = verbs;
        this.id = id;
        this.timeoutMs = timeoutMs;
    }

    /** The device is known from now on. */
    void find() throws IOException {
        if (id.getVerbs() == null) {
            throw new IOException("rdma: no device");
        }
        device = DisniDevice.of(access, id.getVerbs());
    }

    void resolveRoute() throws IOException {
        id.resolveRoute(timeoutMs);
    }

    /** Whether this is the first report of it. */
    boolean onDisconnected() {
        final boolean isFirst = !isDisconnected;
        isDisconnected = true;
        return isFirst;
    }

    private DisniDevice found() {
        if (device == null) {
            throw new IllegalStateException("rdma: no device before the endpoint is resolved");
        }
        return device;
    }

    private Queues opened() {
        if (queues == null) {
            throw new IllegalStateException("rdma: no queues before the endpoint is open");
        }
        return queues;
    }

    @Override
    public VerbsDevice device() {
        return found();
    }

    @Override
    public InetSocketAddress localAddress() {
        return address(true);
    }

    @Override
    public InetSocketAddress peerAddress() {
        return address(false);
    }

    private InetSocketAddress address(final boolean isLocal) {
        try {
            final SocketAddress address = isLocal ? id.getSource() : id.getDestination();
            if (address instanceof final InetSocketAddress internet) {
                return internet;
            }
        } catch (final IOException e) {
            throw new IllegalStateException("rdma: no address before the endpoint is resolved", e);
        }
        throw new IllegalStateException("rdma: not an IPv4 address");
    }

    @Override
    public void open(final int sendCapacity, final int receiveCapacity, final int inlineLengthWanted)
            throws IOException {
        final DisniDevice on = found();
        final IbvCQ completions;
        try {
            completions = on.context().createCQ(verbs.channelOf(on), sendCapacity + receiveCapacity, 0);
        } catch (final IOException e) {
            throw refused(on, "completions: " + (sendCapacity + receiveCapacity), e);
        }
        final IbvQP pair;
        try {
            pair = pair(on, completions, sendCapacity, receiveCapacity, inlineLengthWanted);
        } catch (final IOException e) {
            completions.destroyCQ();
            throw refused(on, "requests: " + sendCapacity + " and " + receiveCapacity, e);
        }
        final SendCalls sends = new SendCalls(pair, sendCapacity);
        final ReceiveCalls receives = new ReceiveCalls(pair, receiveCapacity);
        PollCall poll = null;
        try {
            sends.prepare();
            poll = new PollCall(completions, sends, receives);
            queues = new Queues(completions, sends, receives, poll, completions.reqNotification(false));
        } finally {
            if (queues == null) {
                free(sends, receives, poll);
                destroy(completions);
            }
        }
    }

    private static void free(final SendCalls sends, final ReceiveCalls receives, final @Nullable PollCall poll) {
        sends.free();
        receives.free();
        if (poll != null) {
            poll.free();
        }
    }

    /** Requests end first: their queues name that of completions. */
    private void destroy(final IbvCQ completions) throws IOException {
        try {
            id.destroyQP();
        } finally {
            completions.destroyCQ();
        }
    }

    /** DiSNI does not say what the device gives, only whether it gives what was asked for. */
    private IbvQP pair(
            final DisniDevice on,
            final IbvCQ completions,
            final int sendCapacity,
            final int receiveCapacity,
            final int inlineLengthWanted)
            throws IOException {
        final IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(completions);
        attributes.setRecv_cq(completions);
        attributes.cap().setMax_send_wr(sendCapacity);
        attributes.cap().setMax_recv_wr(receiveCapacity);
        inlineLength = inlineLengthWanted;
        while (true) {
            attributes.cap().setMax_inline_data(inlineLength);
            try {
                return id.createQP(on.domain(), attributes);
            } catch (final IOException e) {
                if (inlineLength == 0) {
                    throw e;
                }
                inlineLength /= 2;
            }
        }
    }

    private static IOException refused(final DisniDevice on, final String what, final IOException reason) {
        return new IOException(
                "rdma: device " + on + " has no queue for " + what + ": " + reason.getMessage() + " (it has up to "
                        + on.limit(NativeAccess.RDMA_LIMIT_REQUESTS) + " requests and "
                        + on.limit(NativeAccess.RDMA_LIMIT_COMPLETIONS)
                        + " completions a queue; queues are locked memory, too: see ulimit -l)",
                reason);
    }

    @Override
    public int inlineLength() {
        return inlineLength;
    }

    @Override
    public void connect(final DirectBuffer buffer, final int offset, final int length) throws IOException {
        final RdmaConnParam parameters = new RdmaConnParam();
        parameters.setRetry_count(RETRY_COUNT);
        parameters.setRnr_retry_count(NO_RECEIVE_RETRY_COUNT);
        parameters.setPrivate_data(copied(buffer, offset, length));
        parameters.setPrivate_data_len((byte) length);
        id.connect(parameters);
    }

    /** DiSNI's accept takes no private data. */
    @Override
    public void accept(final DirectBuffer buffer, final int offset, final int length) throws IOException {
        final int result = access.rdmaAccept(objectId(), copied(buffer, offset, length), length);
        if (result < 0) {
            throw new IOException("rdma: cannot accept: " + NativeErrors.text(access, result));
        }
    }

    /** DiSNI has no such call. */
    @Override
    public void reject(final DirectBuffer buffer, final int offset, final int length) {
        access.rdmaReject(objectId(), copied(buffer, offset, length), length);
    }

    private long objectId() {
        return ((NatObject) id).getObjId();
    }

    private long copied(final DirectBuffer buffer, final int offset, final int length) {
        if (length > Verbs.PRIVATE_LENGTH_MAX) {
            throw new IllegalArgumentException("rdma: private data too long: " + length);
        }
        verbs.scratch().putBytes(0, buffer, offset, length);
        return verbs.scratch().addressOffset();
    }

    @Override
    public void disconnect() {
        try {
            // Whether the peer has already disconnected makes no difference.
            id.disconnect();
        } catch (final IOException ignored) {
            // Closed before.
        }
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            if (queues != null) {
                destroy(queues.completions());
            }
        } catch (final IOException e) {
            throw new IllegalStateException("rdma: closed twice", e);
        } finally {
            if (queues != null) {
                free(queues.sends(), queues.receives(), queues.poll());
            }
            verbs.close(id);
        }
    }

    @Override
    public int postSends(final SendRequests requests, final int count) {
        return opened().sends().post(requests, count);
    }

    @Override
    public int postReceives(final ReceiveRequests requests, final int count) {
        return opened().receives().post(requests, count);
    }

    @Override
    public int poll(final Completions completions) {
        return opened().poll().poll(completions);
    }

    @Override
    public void arm() {
        try {
            opened().arm().execute();
            isArmed = true;
            armedRound = verbs.round();
        } catch (final IOException ignored) {
            isArmed = false;
        }
    }

    @Override
    public boolean isArmed() {
        return isArmed && armedRound == verbs.round();
    }

    /** Calls of DiSNI that were prepared for it so far, each of which made objects; stands still while messages flow. */
    int preparedCount() {
        final Queues now = opened();
        return now.sends().preparedCount()
                + now.receives().preparedCount()
                + now.poll().preparedCount();
    }
}
