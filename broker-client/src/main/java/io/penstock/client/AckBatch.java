package io.penstock.client;

import java.util.Arrays;
import java.util.BitSet;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Completed when it is known what has become of each message of a batch; the correlation id is the index. Owned by the
 * agent, except {@link #onEnd}; who counts down to 0 sees what the other has written.
 */
final class AckBatch extends CompletableFuture<BatchAck> implements AckHandler {
    static final int REASON_COUNT_MAX = 100;

    private final AckType type;
    private final int count;
    private final AtomicInteger openCount;
    private int duplicateCount;
    private long[] sequences = new long[1];
    private @Nullable BitSet failed;
    private @Nullable TreeMap<Integer, PenstockException> reasons;

    // Written by the thread that publishes.
    private int endIndex;
    private @Nullable PenstockException endReason;

    AckBatch(final AckType type, final int count) {
        this.type = type;
        this.count = count;
        endIndex = count;
        openCount = new AtomicInteger(count);
        if (count == 0) {
            finish();
        }
    }

    @Override
    public void onApplied(final long correlationId, final int shard, final long sequence) {
        if (shard >= sequences.length) {
            sequences = Arrays.copyOf(sequences, shard + 1);
        }
        sequences[shard] = Math.max(sequences[shard], sequence);
    }

    @Override
    public void onAck(final long correlationId, final AckType acknowledged, final long publisherSequence) {
        onDone(1);
    }

    @Override
    public void onDuplicate(final long correlationId, final AckType acknowledged, final long publisherSequence) {
        duplicateCount++;
        onDone(1);
    }

    @Override
    public void onFailure(final long correlationId, final PenstockException reason) {
        fail((int) correlationId, reason);
        onDone(1);
    }

    /** Called by the thread that publishes: those from an index on are not sent. */
    void onEnd(final int index, final PenstockException reason) {
        endIndex = index;
        endReason = reason;
        onDone(count - index);
    }

    private void onDone(final int doneCount) {
        if (openCount.addAndGet(-doneCount) == 0) {
            finish();
        }
    }

    private void fail(final int index, final PenstockException reason) {
        BitSet indices = failed;
        TreeMap<Integer, PenstockException> known = reasons;
        if (indices == null || known == null) {
            indices = new BitSet(count);
            known = new TreeMap<>();
            failed = indices;
            reasons = known;
        }
        indices.set(index);
        if (known.size() < REASON_COUNT_MAX) {
            known.put(index, reason);
        }
    }

    private void finish() {
        final PenstockException reason = endReason;
        for (int index = endIndex; index < count && reason != null; index++) {
            fail(index, reason);
        }
        final BitSet indices = failed;
        final TreeMap<Integer, PenstockException> known = reasons;
        if (indices == null || known == null) {
            complete(new BatchAck(type, count, duplicateCount, bookmark()));
        } else {
            completeExceptionally(new BatchException(count, indices, known));
        }
    }

    private Bookmark bookmark() {
        Bookmark bookmark = Bookmark.NONE;
        for (int shard = 0; shard < sequences.length; shard++) {
            if (sequences[shard] > 0) {
                bookmark = bookmark.with(shard, sequences[shard]);
            }
        }
        return bookmark;
    }
}
