package io.penstock.broker.shard.match.index;

import io.penstock.broker.filter.condition.Condition;
import io.penstock.format.FieldPath;
import org.jspecify.annotations.Nullable;

/**
 * A filter that can be in a {@link FilterIndex}. What the index notes of it lies here, so that a match looks nothing up.
 * Confined to one agent.
 */
public abstract class IndexedFilter extends Link {
    /** The last search that found it, see {@link FilterIndex#find}. */
    long seen;

    /** What is looked at before it is evaluated, see {@link Guard}; null for nothing. */
    long @Nullable [] guards;

    /** Whether it is true of the message, so that it need not be evaluated. */
    boolean isFoundCertain;

    /** Whether there is no other way to find it. */
    boolean isFixed;

    /** How often it got another place because many messages were found that did not match. */
    byte moveCount;

    /** Starts in no index. */
    protected IndexedFilter() {}

    @Override
    final IndexedFilter filter() {
        return this;
    }

    /**
     * Whether it was found in such a way that it is true of the message.
     *
     * @return false when it has to be evaluated.
     */
    public final boolean isFoundCertain() {
        return isFoundCertain;
    }

    /**
     * The condition of the filter in normal form.
     *
     * @return always an equal one.
     */
    protected abstract Condition condition();

    /**
     * Where messages' readers have a field of the filter.
     *
     * @param path of a field that the filter reads.
     * @return its slot, the same while the filter is in the index.
     */
    protected abstract int slotOf(FieldPath path);
}
