package io.penstock.transport.rdma.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import io.penstock.transport.rdma.verbs.Completions;
import java.io.IOException;

/** The prepared call that polls an endpoint's queue of completions. Owned by the owner of the endpoint. */
final class PollCall {
    private static final int COUNT_MAX = 32;
    private static final int OPCODE_RECEIVED = 128;
    private static final int OPCODE_RECEIVED_IMMEDIATE = 129;

    private final IbvCQ queue;
    private final SendCalls sends;
    private final ReceiveCalls receives;
    private IbvWC[] found;
    private SVCPollCq call;
    private int preparedCount;

    PollCall(final IbvCQ queue, final SendCalls sends, final ReceiveCalls receives) throws IOException {
        this.queue = queue;
        this.sends = sends;
        this.receives = receives;
        found = completions(COUNT_MAX);
        call = prepare();
    }

    private static IbvWC[] completions(final int count) {
        final IbvWC[] completions = new IbvWC[count];
        for (int i = 0; i < count; i++) {
            completions[i] = new IbvWC();
        }
        return completions;
    }

    private SVCPollCq prepare() throws IOException {
        preparedCount++;
        return queue.poll(found, found.length);
    }

    /** Takes completions, as {@link io.penstock.transport.rdma.verbs.VerbsEndpoint#poll}. */
    int poll(final Completions completions) {
        int taken = 0;
        try {
            if (completions.capacity() < found.length) {
                found = completions(completions.capacity());
                call.free();
                call = prepare();
            }
            int count;
            do {
                count = call.execute().getPolls();
                for (int i = 0; i < count; i++) {
                    put(completions, taken + i, found[i]);
                }
                taken += count;
            } while (count == found.length && taken + found.length <= completions.capacity());
        } catch (final IOException ignored) {
            return taken > 0 ? taken : -Errnos.EIO;
        }
        return taken;
    }

    /** DiSNI gives only the number and the status of a failed completion. */
    private void put(final Completions completions, final int index, final IbvWC from) {
        final long number = from.getWr_id();
        final int status = from.getStatus();
        if (number != ReceiveCalls.NUMBER) {
            completions.put(index, sends.complete(number), status, Completions.SENT, 0, 0, 0);
            return;
        }
        final long id = receives.complete();
        if (status != Completions.SUCCESS) {
            completions.put(index, id, status, Completions.RECEIVED, 0, 0, 0);
        } else if (from.getOpcode() == OPCODE_RECEIVED_IMMEDIATE) {
            final int immediate = SendCall.inNetworkOrder(from.getImm_data());
            completions.put(index, id, status, Completions.RECEIVED_IMMEDIATE, from.getByte_len(), immediate, 0);
        } else {
            assert from.getOpcode() == OPCODE_RECEIVED;
            completions.put(index, id, status, Completions.RECEIVED, from.getByte_len(), 0, 0);
        }
    }

    /** Calls that were prepared, which each made objects. */
    int preparedCount() {
        return preparedCount;
    }

    void free() {
        call.free();
    }
}
