package io.penstock.broker.shard.command;

import static io.penstock.broker.shard.order.CommandHeader.TEMPLATE_OPEN_PUBLISHER;

import io.penstock.broker.security.IdentityCounts;
import io.penstock.broker.shard.order.CommandReader;
import io.penstock.broker.shard.order.CommandWriter;
import io.penstock.broker.shard.order.Origin;

/** Gives a named publisher its number, a new one or the one it had. */
public final class OpenPublisher extends OrderedCommand {
    public static final int LIMIT_REACHED = -1;
    public static final int QUOTA_REACHED = -2;

    /** A bound for names that come from another node. */
    static final int NAME_LENGTH_MAX = 4 * 1024;

    final String name;
    private final int shardIndex;
    private int publisherId = LIMIT_REACHED;
    private final String identity;
    private final IdentityCounts createdPublishers;
    private boolean isCounted;

    /**
     * @param identity          whose name it is, when it is a new one.
     * @param createdPublishers counts new names.
     */
    public OpenPublisher(
            final int ioAgent,
            final long sessionId,
            final int shardIndex,
            final String name,
            final String identity,
            final IdentityCounts createdPublishers) {
        super(ioAgent, sessionId);
        this.name = name;
        this.shardIndex = shardIndex;
        this.identity = identity;
        this.createdPublishers = createdPublishers;
    }

    public int publisherId() {
        return publisherId;
    }

    public int shardIndex() {
        return shardIndex;
    }

    @Override
    public boolean encode(final CommandWriter to, final Origin origin, final long number) {
        to.begin(TEMPLATE_OPEN_PUBLISHER, origin, number);
        to.putText(name);
        return true;
    }

    static OpenPublisher decode(final CommandReader from) {
        // Its own node has counted it.
        return new OpenPublisher(0, 0, 0, from.readText(NAME_LENGTH_MAX), "", new IdentityCounts(Integer.MAX_VALUE));
    }

    @Override
    public boolean onApplied(final OrderedCommand part) {
        publisherId = ((OpenPublisher) part).publisherId;
        return true;
    }

    @Override
    public boolean execute(final ShardOperations shard) {
        // It stays counted while it waits for room in the log: nothing else of the shard runs until then.
        if (!isCounted && shard.findPublisher(name) == 0) {
            if (shard.isPublisherLimitReached()) {
                publisherId = LIMIT_REACHED;
                return true;
            }
            if (!createdPublishers.take(identity)) {
                publisherId = QUOTA_REACHED;
                return true;
            }
            isCounted = true;
        }
        publisherId = shard.openPublisher(name);
        return publisherId != 0;
    }
}
