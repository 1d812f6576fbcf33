package io.penstock.broker.shard.command;

/** Gives a named publisher its number, a new one or the one it had. */
public final class OpenPublisher extends OrderedCommand {
    public static final int LIMIT_REACHED = -1;
    public static final int QUOTA_REACHED = -2;

    final String name;
    private final int shardIndex;

    /** Who has taken one of its names for this one; empty when nobody has. */
    private final String identity;

    private int publisherId = LIMIT_REACHED;
    private boolean isCreated;

    /**
     * Opens a publisher.
     *
     * @param identity whose name it is if it is a new one, which was counted before; empty when there may be no new one.
     */
    public OpenPublisher(
            final int ioAgent, final long sessionId, final int shardIndex, final String name, final String identity) {
        super(ioAgent, sessionId);
        this.name = name;
        this.shardIndex = shardIndex;
        this.identity = identity;
    }

    /** Whose name was counted; empty when none was. */
    public String identity() {
        return identity;
    }

    /** Whether it is a new name. */
    public boolean isCreated() {
        return isCreated;
    }

    public int publisherId() {
        return publisherId;
    }

    public int shardIndex() {
        return shardIndex;
    }

    @Override
    public boolean execute(final ShardOperations shard) {
        final boolean isNew = shard.findPublisher(name) == 0;
        if (isNew && shard.isPublisherLimitReached()) {
            publisherId = LIMIT_REACHED;
            return true;
        }
        if (isNew && identity.isEmpty()) {
            publisherId = QUOTA_REACHED;
            return true;
        }
        publisherId = shard.openPublisher(name);
        isCreated = isNew && publisherId != 0;
        return publisherId != 0;
    }
}
