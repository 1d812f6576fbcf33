package io.penstock.vm.guest.disni;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCRegMr;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedList;
import java.util.List;

/**
 * One end of a connection, written to DiSNI's own classes: slots of equal length in one registered buffer, the first half
 * to send from, the second half to receive into; a prepared call for each.
 */
final class RawEnd implements AutoCloseable {
    static final int EVENT_TIMEOUT_MS = 20_000;

    private static final int ACCESS =
            IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_READ | IbvMr.IBV_ACCESS_REMOTE_WRITE;
    private static final int WC_COUNT = 32;

    final RdmaCmId id;
    final IbvPd domain;
    final IbvCompChannel channel;
    final IbvCQ queue;
    final IbvQP pair;
    final ByteBuffer buffer;
    final IbvMr region;
    final int slotCount;
    final int slotLength;
    final IbvWC[] found = new IbvWC[WC_COUNT];
    private final SVCPostSend[] sends;
    private final SVCPostRecv[] receives;
    private final SVCPollCq poll;

    RawEnd(final RdmaCmId id, final int slotCount, final int slotLength) throws IOException {
        this.id = id;
        this.slotCount = slotCount;
        this.slotLength = slotLength;
        final IbvContext context = id.getVerbs();
        domain = context.allocPd();
        channel = context.createCompChannel();
        queue = context.createCQ(channel, 4 * slotCount, 0);
        final IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.cap().setMax_send_wr(slotCount);
        attributes.cap().setMax_recv_wr(slotCount);
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(queue);
        attributes.setRecv_cq(queue);
        pair = id.createQP(domain, attributes);
        buffer = ByteBuffer.allocateDirect(2 * slotCount * slotLength).order(ByteOrder.nativeOrder());
        final SVCRegMr registering = domain.regMr(buffer, ACCESS);
        region = registering.execute().getMr();
        registering.free();
        sends = new SVCPostSend[slotCount];
        receives = new SVCPostRecv[slotCount];
        for (int slot = 0; slot < slotCount; slot++) {
            sends[slot] = prepareSend(slot);
            receives[slot] = prepareReceive(slot);
        }
        for (int i = 0; i < found.length; i++) {
            found[i] = new IbvWC();
        }
        poll = queue.poll(found, found.length);
    }

    @SuppressWarnings("JdkObsolete") // DiSNI takes no other list.
    private SVCPostSend prepareSend(final int slot) throws IOException {
        final IbvSendWR request = new IbvSendWR();
        request.setWr_id(slot);
        request.setOpcode(IbvSendWR.IBV_WR_SEND);
        request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        request.setNum_sge(1);
        request.setSg_list(new LinkedList<>(List.of(piece(slot * slotLength, slotLength))));
        return pair.postSend(List.of(request), null);
    }

    @SuppressWarnings("JdkObsolete") // DiSNI takes no other list.
    private SVCPostRecv prepareReceive(final int slot) throws IOException {
        final IbvRecvWR request = new IbvRecvWR();
        request.setWr_id(slot);
        request.setNum_sge(1);
        request.setSg_list(new LinkedList<>(List.of(piece((slotCount + slot) * slotLength, slotLength))));
        return pair.postRecv(List.of(request), null);
    }

    IbvSge piece(final int offset, final int length) {
        final IbvSge piece = new IbvSge();
        piece.setAddr(region.getAddr() + offset);
        piece.setLength(length);
        piece.setLkey(region.getLkey());
        return piece;
    }

    static RdmaConnParam parameters() throws IOException {
        final RdmaConnParam parameters = new RdmaConnParam();
        parameters.setRetry_count((byte) 7);
        parameters.setRnr_retry_count((byte) 7);
        return parameters;
    }

    @SuppressWarnings("EnumOrdinal") // DiSNI numbers events by it.
    static RdmaCmEvent await(final RdmaEventChannel events, final EventType expected) throws IOException {
        final RdmaCmEvent event = events.getCmEvent(EVENT_TIMEOUT_MS);
        assertThat(event).as("event of the connection manager, %s", expected).isNotNull();
        event.ackEvent();
        assertThat(EventType.values()[event.getEvent()]).isEqualTo(expected);
        return event;
    }

    void send(final int slot, final int length) throws IOException {
        sends[slot].getWrMod(0).getSgeMod(0).setLength(length);
        sends[slot].execute();
    }

    void receive(final int slot) throws IOException {
        receives[slot].execute();
    }

    void receiveAll() throws IOException {
        for (int slot = 0; slot < slotCount; slot++) {
            receive(slot);
        }
    }

    ByteBuffer sendSlot(final int slot) {
        return buffer.slice(slot * slotLength, slotLength).order(ByteOrder.nativeOrder());
    }

    ByteBuffer receiveSlot(final int slot) {
        return buffer.slice((slotCount + slot) * slotLength, slotLength).order(ByteOrder.nativeOrder());
    }

    /** How many of {@link #found} were filled. */
    int poll() throws IOException {
        return poll.execute().getPolls();
    }

    /** Waits by polling, with a limit. */
    int pollSome() throws IOException {
        final long deadlineNs = System.nanoTime() + EVENT_TIMEOUT_MS * 1_000_000L;
        int count = poll();
        while (count == 0) {
            assertThat(System.nanoTime()).as("time for a completion").isLessThan(deadlineNs);
            count = poll();
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        poll.free();
        for (int slot = 0; slot < slotCount; slot++) {
            sends[slot].free();
            receives[slot].free();
        }
        id.destroyQP();
        assertThat(queue.destroyCQ()).isZero();
        assertThat(channel.destroyCompChannel()).isZero();
        region.deregMr().execute().free();
        deallocate(domain);
        assertThat(id.destroyId()).isZero();
    }

    private static void deallocate(final IbvPd domain) throws IOException {
        try {
            assertThat(domain.deallocPd()).isZero();
        } catch (final IOException | RuntimeException e) {
            throw e;
        } catch (final Exception e) {
            throw new IOException(e);
        }
    }
}
