package io.penstock.transport.rdma.disni;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCPostSend.RdmaMod;
import com.ibm.disni.verbs.SVCPostSend.SendWRMod;
import com.ibm.disni.verbs.SVCPostSend.SgeMod;
import io.penstock.transport.rdma.verbs.SendRequests;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;

/**
 * A prepared call of DiSNI that posts a chain of requests, all of one operation and with one number of pieces;
 * everything else is filled in each time. Owned by the owner of the endpoint.
 */
final class SendCall {
    private static final int[] OPERATIONS = {
        IbvSendWR.IBV_WR_SEND,
        IbvSendWR.IBV_WR_RDMA_WRITE,
        IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM,
        IbvSendWR.IBV_WR_RDMA_READ
    };

    private final SVCPostSend call;
    private final SendWRMod[] requests;
    private final RdmaMod[] remotes;
    private final SgeMod[][] pieces;
    private final boolean isRemote;

    /**
     * Prepares it.
     *
     * @param operation  of {@link SendRequests}.
     * @param pieceCount 0 to 2.
     * @param count      requests in the chain.
     * @param immediate  the number of a write with one, which cannot be changed.
     */
    SendCall(final IbvQP pair, final int operation, final int pieceCount, final int count, final int immediate)
            throws IOException {
        isRemote = operation != SendRequests.SEND;
        final List<IbvSendWR> chain = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            chain.add(request(operation, pieceCount, immediate));
        }
        call = pair.postSend(chain, null);
        requests = new SendWRMod[count];
        remotes = new RdmaMod[count];
        pieces = new SgeMod[count][pieceCount];
        for (int i = 0; i < count; i++) {
            requests[i] = call.getWrMod(i);
            remotes[i] = requests[i].getRdmaMod();
            for (int piece = 0; piece < pieceCount; piece++) {
                pieces[i][piece] = requests[i].getSgeMod(piece);
            }
        }
    }

    @SuppressWarnings("JdkObsolete") // DiSNI takes no other list.
    private static IbvSendWR request(final int operation, final int pieceCount, final int immediate) {
        final IbvSendWR request = new IbvSendWR();
        request.setOpcode(OPERATIONS[operation]);
        request.setImm_data(inNetworkOrder(immediate));
        request.setNum_sge(pieceCount);
        final LinkedList<IbvSge> list = new LinkedList<>();
        for (int piece = 0; piece < pieceCount; piece++) {
            list.add(new IbvSge());
        }
        request.setSg_list(list);
        return request;
    }

    /** DiSNI passes numbers as they are on the wire. */
    static int inNetworkOrder(final int immediate) {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? immediate : Integer.reverseBytes(immediate);
    }

    int count() {
        return requests.length;
    }

    /** Fills one in, from a request of the same operation and number of pieces. */
    void put(final int index, final long id, final SendRequests from, final int at) {
        final SendWRMod request = requests[index];
        request.setWr_id(id);
        request.setSend_flags(flags(from.flags(at)));
        final SgeMod[] parts = pieces[index];
        if (parts.length > 0) {
            put(parts[0], from.address(at), from.length(at), from.localKey(at));
        }
        if (parts.length > 1) {
            put(parts[1], from.secondAddress(at), from.secondLength(at), from.secondLocalKey(at));
        }
        if (isRemote) {
            remotes[index].setRemote_addr(from.remoteAddress(at));
            remotes[index].setRkey(from.remoteKey(at));
        }
    }

    private static void put(final SgeMod piece, final long address, final int length, final int key) {
        piece.setAddr(address);
        piece.setLength(length);
        piece.setLkey(key);
    }

    private static int flags(final int given) {
        return ((given & SendRequests.SIGNALLED) != 0 ? IbvSendWR.IBV_SEND_SIGNALED : 0)
                | ((given & SendRequests.INLINE) != 0 ? IbvSendWR.IBV_SEND_INLINE : 0)
                | ((given & SendRequests.FENCE) != 0 ? IbvSendWR.IBV_SEND_FENCE : 0);
    }

    /** Posts all of the chain. */
    void execute() throws IOException {
        call.execute();
    }

    void free() {
        call.free();
    }
}
