package io.penstock.broker.shard.command;

import static io.penstock.broker.shard.order.CommandHeader.TEMPLATE_OPEN_PUBLISHER;

import io.penstock.broker.shard.order.BadCommandException;
import io.penstock.broker.shard.order.CommandOrigin;
import io.penstock.broker.shard.order.CommandReader;
import io.penstock.broker.shard.order.CommandWriter;

/** Gives a named publisher its number, a new one or the one it had. */
public final class OpenPublisher extends OrderedCommand {
    public static final int LIMIT_REACHED = -1;
    public static final int QUOTA_REACHED = -2;

    /** A bound for names that come from another node. */
    static final int NAME_LENGTH_MAX = 4 * 1024;

    private static final int FLAG_CREATE = 1;

    /** In place of an identity: it is counted by another node. No client has this name. */
    private static final String ELSEWHERE = "\0";

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
    public boolean encode(final CommandWriter to, final CommandOrigin origin, final long number) {
        to.begin(TEMPLATE_OPEN_PUBLISHER, origin, number);
        to.putShort(identity.isEmpty() ? 0 : FLAG_CREATE).putText(name);
        return true;
    }

    static OpenPublisher decode(final CommandReader from) {
        final int flags = from.readShort();
        if ((flags & ~FLAG_CREATE) != 0) {
            throw new BadCommandException("a publisher with flags " + flags);
        }
        return new OpenPublisher(0, 0, 0, from.readText(NAME_LENGTH_MAX), flags == 0 ? "" : ELSEWHERE);
    }

    @Override
    public boolean onApplied(final OrderedCommand part) {
        final OpenPublisher applied = (OpenPublisher) part;
        publisherId = applied.publisherId;
        isCreated = applied.isCreated;
        return true;
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
