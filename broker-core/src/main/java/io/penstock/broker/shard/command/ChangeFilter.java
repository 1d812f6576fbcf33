package io.penstock.broker.shard.command;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Interest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives a feed of a subscription another filter, and another number, from the next record on.
 *
 * <p>Nothing is done when a cursor serves it: its I/O agent finds the notice of that in the ring. A feed that follows
 * state is held until it is known which records only one of the filters matches, for which the state is opened; one that
 * cannot be changed is removed.
 */
public final class ChangeFilter extends LocalCommand {
    private final long changedFeed;
    private final Interest interest;
    private final @Nullable Filter filter;
    private final DescriptorRing ring;
    private final boolean isWaiting;
    private boolean isEnqueued;
    private final List<QuerySource> sources = new ArrayList<>();
    private @Nullable String filterBefore;

    /**
     * Makes a command.
     *
     * @param ioAgent     of the client.
     * @param changedFeed number of the feed so far.
     * @param interest    of the feed from now on.
     * @param filter      of the interest; null for everything.
     * @param ring        that the feed goes into.
     * @param isWaiting   whether it follows state, is held until others have ended, and was sent nothing so far.
     */
    public ChangeFilter(
            final int ioAgent,
            final long changedFeed,
            final Interest interest,
            final @Nullable Filter filter,
            final DescriptorRing ring,
            final boolean isWaiting) {
        super(ioAgent, interest.sessionId());
        this.changedFeed = changedFeed;
        this.interest = interest;
        this.filter = filter;
        this.ring = ring;
        this.isWaiting = isWaiting;
    }

    /** Whether it was sent nothing so far, so that only its filter is another one. */
    public boolean isWaiting() {
        return isWaiting;
    }

    /** The number that the feed had before. */
    public long changedFeed() {
        return changedFeed;
    }

    /** Of the feed from now on. */
    public Interest interest() {
        return interest;
    }

    /** Text of the filter by which the client's state is, when it follows state and was changed. */
    public @Nullable String filterBefore() {
        return filterBefore;
    }

    /** The state as it was then, to look for what only one of the filters matches; closed by who gets the reply. */
    public List<QuerySource> sources() {
        return sources;
    }

    /** Whether all that was matched by the earlier filter was enqueued, and the feed is served by the next one. */
    public boolean isEnqueued() {
        return isEnqueued;
    }

    @Override
    void run(final LocalOperations shard) {
        if (interest.follow() != null) {
            changeFollower(shard);
            return;
        }
        isEnqueued = shard.supersede(changedFeed);
        if (isEnqueued) {
            shard.subscribe(interest, filter, null, ring, false);
        }
    }

    private void changeFollower(final LocalOperations shard) {
        filterBefore = shard.changeFilter(changedFeed, interest, filter, isWaiting);
        isEnqueued = filterBefore != null;
        if (isWaiting) {
            return;
        }
        if (isEnqueued) {
            shard.openSources(interest.topics(), null, sources);
        } else {
            shard.unsubscribe(changedFeed);
        }
    }
}
