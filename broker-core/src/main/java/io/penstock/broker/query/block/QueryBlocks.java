package io.penstock.broker.query.block;

import io.penstock.broker.shard.store.StateStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of all sources of a query in blocks, which its workers take. Safe on any thread. */
public final class QueryBlocks {
    private final List<Rows> sources;
    private final int blockLength;
    private final boolean isInAnyOrder;
    private final BlockClaims[] claims;

    /**
     * The rows of a source.
     *
     * @param store of which all rows are looked at; null when only some are.
     * @param count of the rows.
     */
    public record Rows(@Nullable StateStore store, int count) {}

    /**
     * Blocks of which none was taken.
     *
     * @param sources      of the rows.
     * @param blockLength  rows of a block.
     * @param isInAnyOrder whether the answer does not depend on the order in which rows are looked at.
     */
    public QueryBlocks(final List<Rows> sources, final int blockLength, final boolean isInAnyOrder) {
        this.sources = List.copyOf(sources);
        this.blockLength = blockLength;
        this.isInAnyOrder = isInAnyOrder;
        claims = new BlockClaims[sources.size()];
        for (int i = 0; i < claims.length; i++) {
            claims[i] = new BlockClaims((int) (((long) sources.get(i).count + blockLength - 1) / blockLength));
        }
    }

    /**
     * How many blocks there are.
     *
     * @return count over all sources, those that were taken included.
     */
    public long count() {
        long count = 0;
        for (final BlockClaims each : claims) {
            count += each.count();
        }
        return count;
    }

    boolean isInAnyOrder() {
        return isInAnyOrder;
    }

    int sourceCount() {
        return claims.length;
    }

    BlockClaims claims(final int source) {
        return claims[source];
    }

    /** The store whose blocks those of a source are; null when they are blocks of some of its rows. */
    @Nullable
    StateStore store(final int source) {
        return sources.get(source).store;
    }

    int firstRow(final int block) {
        return block * blockLength;
    }

    /** Behind the last row of a block. */
    int endRow(final int source, final int block) {
        return Math.min(sources.get(source).count, (int) Math.min(Integer.MAX_VALUE, (block + 1L) * blockLength));
    }
}
