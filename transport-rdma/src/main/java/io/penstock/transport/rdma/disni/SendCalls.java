package io.penstock.transport.rdma.disni;

import com.ibm.disni.verbs.IbvQP;
import io.penstock.nativeaccess.DisniSupplement;
import io.penstock.transport.rdma.verbs.SendRequests;
import java.io.IOException;
import org.agrona.BitUtil;
import org.jspecify.annotations.Nullable;

/**
 * The sends of an endpoint: prepared calls for chains of 1, 2, 4, 8 and 16 requests of each kind, and the ids of those
 * that are posted. DiSNI is given their numbers in place of ids, all of them 0 or more. Owned by the owner of the
 * endpoint.
 */
final class SendCalls {
    private static final int CHAIN_LENGTH_MAX = 16;
    private static final int CHAIN_KINDS = 5;
    private static final int PIECE_KINDS = 3;
    private static final int OPERATION_KINDS = 4;

    private final @Nullable SendCall[] calls = new SendCall[OPERATION_KINDS * PIECE_KINDS * CHAIN_KINDS];
    private final IbvQP pair;
    private final int capacity;
    private final long[] ids;
    private final int mask;
    private long posted;
    private long completed;
    private int preparedCount;

    SendCalls(final IbvQP pair, final int capacity) {
        this.pair = pair;
        this.capacity = capacity;
        ids = new long[BitUtil.findNextPositivePowerOfTwo(capacity)];
        mask = ids.length - 1;
    }

    /** Prepares what every connection uses; the rest when it is used first. Those before one that fails are there. */
    void prepare() throws IOException {
        for (int chainLength = 1; chainLength <= CHAIN_LENGTH_MAX; chainLength *= 2) {
            call(SendRequests.SEND, 1, chainLength);
        }
        call(SendRequests.WRITE, 0, 1);
        call(SendRequests.READ, 1, 1);
    }

    /** Posts requests, as {@link io.penstock.transport.rdma.verbs.VerbsEndpoint#postSends}. */
    int post(final SendRequests requests, final int count) {
        int taken = 0;
        try {
            while (taken < count && posted - completed < capacity) {
                final int limit = (int) Math.min(count - taken, capacity - (posted - completed));
                taken += postChain(requests, taken, limit);
            }
        } catch (final IOException ignored) {
            // The native method has left the reason, and how many of the chain were taken.
            final int takenOfChain = DisniSupplement.postCount();
            posted += takenOfChain;
            taken += takenOfChain;
            return taken > 0 ? taken : -DisniSupplement.postError();
        }
        return taken;
    }

    /** Posts as many requests of one kind, from one on, as a prepared call does. */
    private int postChain(final SendRequests requests, final int first, final int limit) throws IOException {
        final int operation = requests.operation(first);
        final int pieceCount = pieceCount(requests, first);
        final boolean isNumbered = operation == SendRequests.WRITE_WITH_IMMEDIATE;
        int same = 1;
        while (!isNumbered
                && same < Math.min(limit, CHAIN_LENGTH_MAX)
                && requests.operation(first + same) == operation
                && pieceCount(requests, first + same) == pieceCount) {
            same++;
        }
        final SendCall call = isNumbered
                ? new SendCall(pair, operation, pieceCount, 1, requests.immediate(first))
                : call(operation, pieceCount, Integer.highestOneBit(same));
        for (int i = 0; i < call.count(); i++) {
            ids[(int) (posted + i) & mask] = requests.id(first + i);
            call.put(i, posted + i, requests, first + i);
        }
        call.execute();
        posted += call.count();
        if (isNumbered) {
            preparedCount++;
            call.free();
        }
        return call.count();
    }

    private static int pieceCount(final SendRequests requests, final int index) {
        if (requests.secondLength(index) != 0) {
            return 2;
        }
        return requests.length(index) != 0 ? 1 : 0;
    }

    private SendCall call(final int operation, final int pieceCount, final int chainLength) throws IOException {
        final int index =
                (operation * PIECE_KINDS + pieceCount) * CHAIN_KINDS + Integer.numberOfTrailingZeros(chainLength);
        SendCall call = calls[index];
        if (call == null) {
            call = new SendCall(pair, operation, pieceCount, chainLength, 0);
            calls[index] = call;
            preparedCount++;
        }
        return call;
    }

    /**
     * A send is complete, and all before it are.
     *
     * @param number that DiSNI was given.
     * @return the id that it was posted with.
     */
    long complete(final long number) {
        completed = Math.max(completed, number + 1);
        return ids[(int) number & mask];
    }

    /** Calls that were prepared, which each made objects. */
    int preparedCount() {
        return preparedCount;
    }

    void free() {
        for (final SendCall call : calls) {
            if (call != null) {
                call.free();
            }
        }
    }
}
