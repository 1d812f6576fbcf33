package io.penstock.broker.shard.replica;

import io.penstock.broker.shard.OrderedLog;
import org.jspecify.annotations.Nullable;

/**
 * Makes the orders of a broker's shards: the one place where a broker is made a member of several nodes. Used by the thread that
 * starts the broker.
 */
public interface OrderedLogs {
    /** Of a broker that is alone. */
    OrderedLogs ALONE = shard -> null;

    /**
     * Makes the order of a shard. Called once for each shard, before its topics are declared and before its ports are made.
     *
     * @param shard and what surrounds it.
     * @return the order; null when this node alone decides it, as its I/O agents' calls come.
     */
    @Nullable
    OrderedLog newLog(OrderContext shard);

    /**
     * Whether topics, their rules and the default format are those of the start: other nodes create topics by the same rules, at
     * the same places of the order.
     *
     * @return false when a reload may change them.
     */
    default boolean areTopicsFixed() {
        return false;
    }
}
