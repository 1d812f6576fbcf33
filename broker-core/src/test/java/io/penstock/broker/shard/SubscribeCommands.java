package io.penstock.broker.shard;

import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.command.Subscribe;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.FollowFields;
import io.penstock.broker.shard.match.Interest;
import org.jspecify.annotations.Nullable;

/** Commands that I/O agents make, for tests of sequencers. */
public final class SubscribeCommands {
    private SubscribeCommands() {}

    /** Begins to follow a topic, in place of a feed that lagged too far if the number is not 0. */
    public static ShardCommand follow(
            final Interest interest,
            final @Nullable FollowFields fields,
            final DescriptorRing ring,
            final long replacedFeed) {
        final boolean resync = replacedFeed != 0;
        return new Subscribe(0, interest, null, fields, ring, new Subscribe.Place(replacedFeed, false), resync, resync);
    }

    /** What the reply says. */
    public static String outcome(final ShardCommand command) {
        final Subscribe reply = (Subscribe) command;
        return reply.isStateless() ? "stateless" : reply.isOfAnother() ? "of another" : "begun";
    }
}
