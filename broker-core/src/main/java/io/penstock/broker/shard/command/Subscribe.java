package io.penstock.broker.shard.command;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.FollowFields;
import io.penstock.broker.shard.match.Interest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds one feed of a subscription, from the next record on; the state before may be asked for with it. */
public final class Subscribe extends LocalCommand {
    final Interest interest;
    final long replacedFeed;
    final boolean withState;
    final List<QuerySource> sources = new ArrayList<>();

    private long startPosition;
    private long startSequence;
    private boolean isStateless;
    private boolean isOfAnother;
    private boolean held;
    private final boolean resync;
    private boolean isWaiting;
    private final @Nullable Filter filter;
    private final @Nullable FollowFields fields;
    private final DescriptorRing ring;

    /**
     * The feeds before this one.
     *
     * @param replacedFeed ends as this one starts; 0 for none.
     * @param waits        whether it waits for others whose place was taken before, whatever becomes of that one.
     */
    public record Place(long replacedFeed, boolean waits) {}

    /**
     * Makes a command.
     *
     * @param ioAgent   of the client.
     * @param interest  of the feed.
     * @param filter    of the interest; null for everything.
     * @param fields    of the topic that it follows; null when it follows none, or there is no such topic.
     * @param ring      that the feed goes into.
     * @param place     among the client's feeds.
     * @param withState whether the state is sent first: the subscription waits until then.
     * @param resync    whether the client did not ask for this, but had fallen behind.
     */
    public Subscribe(
            final int ioAgent,
            final Interest interest,
            final @Nullable Filter filter,
            final @Nullable FollowFields fields,
            final DescriptorRing ring,
            final Place place,
            final boolean withState,
            final boolean resync) {
        super(ioAgent, interest.sessionId());
        this.interest = interest;
        this.filter = filter;
        this.fields = fields;
        this.ring = ring;
        replacedFeed = place.replacedFeed();
        isWaiting = place.waits();
        this.withState = withState;
        this.resync = resync;
    }

    /** Whether the fields are those of a topic that had the name before, so that nothing was done. */
    public boolean isOfAnother() {
        return isOfAnother;
    }

    /** Where the log is to be read from after the state was sent. */
    public long startPosition() {
        return startPosition;
    }

    /** Whether nothing is enqueued until the state was sent. */
    public boolean held() {
        return held;
    }

    public long startSequence() {
        return startSequence;
    }

    /**
     * Whether not all that comes before it was enqueued, so that it waits: held when it follows state, else unknown to
     * the shard.
     */
    public boolean isWaiting() {
        return isWaiting;
    }

    public long replacedFeed() {
        return replacedFeed;
    }

    /** Whether the topic keeps no state, so that nothing was done. */
    public boolean isStateless() {
        return isStateless;
    }

    public Interest interest() {
        return interest;
    }

    public List<QuerySource> sources() {
        return sources;
    }

    /** Whether the client did not ask for this, but lagged too far. */
    public boolean resync() {
        return resync;
    }

    @Override
    void run(final LocalOperations shard) {
        final boolean hasState = shard.hasState(interest.topics());
        isOfAnother = hasState && !isOfTopic(shard);
        isStateless = !hasState
                && (interest.follow() != null || (withState && interest.topics().isLiteral()));
        if (isStateless || isOfAnother) {
            if (resync && replacedFeed != 0) {
                // The old subscription is of no use to its client any more, which is notified of that, or sent another
                // topic's state.
                shard.unsubscribe(replacedFeed);
            }
            return;
        }
        held = withState && hasState;
        if (withState && replacedFeed != 0) {
            shard.unsubscribe(replacedFeed);
        } else if (replacedFeed != 0 && !shard.supersede(replacedFeed)) {
            isWaiting = true;
        }
        if (held) {
            shard.openSources(interest.topics(), null, sources);
        }
        if (!isWaiting || interest.follow() != null) {
            startPosition = shard.subscribe(interest, filter, fields, ring, held || isWaiting);
        }
        startSequence = shard.newestSequence() + 1;
    }

    /** Whether what was made for it is of the topic that has the name now, which may not have been there then. */
    private boolean isOfTopic(final LocalOperations shard) {
        return interest.follow() == null
                || (fields != null
                        && fields.isOf(shard.findTopic(interest.topics().text())));
    }
}
