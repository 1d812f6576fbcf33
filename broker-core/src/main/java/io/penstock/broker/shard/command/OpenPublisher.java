package io.penstock.broker.shard.command;

import io.penstock.broker.security.IdentityCounts;

/** Gives a named publisher its number, a new one or the one it had. */
public final class OpenPublisher extends OrderedCommand {
    public static final int LIMIT_REACHED = -1;
    public static final int QUOTA_REACHED = -2;

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
