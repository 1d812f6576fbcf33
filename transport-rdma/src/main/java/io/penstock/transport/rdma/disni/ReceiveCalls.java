package io.penstock.transport.rdma.disni;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostRecv;
import io.penstock.nativeaccess.DisniSupplement;
import io.penstock.transport.rdma.verbs.ReceiveRequests;
import java.io.IOException;
import java.util.LinkedList;
import java.util.List;
import org.agrona.BitUtil;
import org.agrona.collections.Hashing;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The receives of an endpoint. A prepared receive of DiSNI cannot be changed, so there is one for each piece of memory,
 * found by its address; beyond a bound one is prepared, posted and freed. The device gives receives back in the order
 * in which they were posted, so their ids are a ring, and DiSNI is given {@link #NUMBER} for all of them. Owned by the
 * owner of the endpoint.
 */
final class ReceiveCalls {
    /** The number that distinguishes a receive from a send, whose numbers are 0 or more. */
    static final long NUMBER = -1;

    private static final int KEPT_FACTOR = 2;

    private final Long2ObjectHashMap<Call> calls;
    private final IbvQP pair;
    private final int capacity;
    private final long[] ids;
    private final int mask;
    private long posted;
    private long completed;
    private int preparedCount;

    private record Call(SVCPostRecv prepared, int length, int localKey) {}

    ReceiveCalls(final IbvQP pair, final int capacity) {
        this.pair = pair;
        this.capacity = capacity;
        ids = new long[BitUtil.findNextPositivePowerOfTwo(capacity)];
        mask = ids.length - 1;
        calls = new Long2ObjectHashMap<>(
                BitUtil.findNextPositivePowerOfTwo(2 * KEPT_FACTOR * capacity), Hashing.DEFAULT_LOAD_FACTOR);
    }

    /** Posts receives, as {@link io.penstock.transport.rdma.verbs.VerbsEndpoint#postReceives}. */
    int post(final ReceiveRequests requests, final int count) {
        int taken = 0;
        try {
            while (taken < count && posted - completed < capacity) {
                post(requests.address(taken), requests.length(taken), requests.localKey(taken));
                ids[(int) posted & mask] = requests.id(taken);
                posted++;
                taken++;
            }
        } catch (final IOException ignored) {
            // The native method has left the reason.
            return taken > 0 ? taken : -DisniSupplement.postError();
        }
        return taken;
    }

    private void post(final long address, final int length, final int localKey) throws IOException {
        final Call known = calls.get(address);
        if (known != null && known.length() == length && known.localKey() == localKey) {
            known.prepared().execute();
            return;
        }
        final SVCPostRecv prepared = prepare(address, length, localKey);
        preparedCount++;
        if (known == null && calls.size() == KEPT_FACTOR * capacity) {
            prepared.execute().free();
            return;
        }
        final @Nullable Call replaced = calls.put(address, new Call(prepared, length, localKey));
        if (replaced != null) {
            replaced.prepared().free();
        }
        prepared.execute();
    }

    @SuppressWarnings("JdkObsolete") // DiSNI takes no other list.
    private SVCPostRecv prepare(final long address, final int length, final int localKey) throws IOException {
        final LinkedList<IbvSge> list = new LinkedList<>();
        if (length > 0) {
            final IbvSge piece = new IbvSge();
            piece.setAddr(address);
            piece.setLength(length);
            piece.setLkey(localKey);
            list.add(piece);
        }
        final IbvRecvWR request = new IbvRecvWR();
        request.setWr_id(NUMBER);
        request.setNum_sge(list.size());
        request.setSg_list(list);
        return pair.postRecv(List.of(request), null);
    }

    /**
     * The oldest receive is complete.
     *
     * @return the id that it was posted with.
     */
    long complete() {
        return ids[(int) completed++ & mask];
    }

    /** Calls that were prepared, which each made objects. */
    int preparedCount() {
        return preparedCount;
    }

    void free() {
        calls.values().forEach(each -> each.prepared().free());
        calls.clear();
    }
}
