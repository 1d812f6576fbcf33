package io.penstock.broker.session.connect;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.shard.command.FindPublisher;
import io.penstock.broker.shard.command.OpenPublisher;
import io.penstock.broker.shard.command.ShardCommand;

/**
 * Asks all shards for the highest sequence of a publisher that logs on. A shard whose order several nodes make is first asked
 * through the order: that answer comes when this node has applied all that was decided before. Without it a node that lags
 * would name a sequence that is too low, and what its client numbers from there on would be dropped. Confined to one I/O agent.
 */
final class PublisherSequences {
    private final SessionContext context;
    private long highest;

    /** For one logon. */
    PublisherSequences(final SessionContext context) {
        this.context = context;
    }

    /** How many replies come. */
    int replyCount() {
        int count = 0;
        for (int shard = 0; shard < context.shards().count(); shard++) {
            count += context.shards().port(shard).isReplicated() ? 2 : 1;
        }
        return count;
    }

    /** The highest of all shards, once all have replied. */
    long highest() {
        return highest;
    }

    /** Asks all shards. */
    void ask(final Session session) {
        for (int shard = 0; shard < context.shards().count(); shard++) {
            if (context.shards().port(shard).isReplicated()) {
                passOrder(session, shard);
            } else {
                find(session, shard);
            }
        }
    }

    /** Takes a reply. */
    void onReply(final Session session, final ShardCommand reply) {
        if (reply instanceof OpenPublisher passed) {
            find(session, passed.shardIndex());
            return;
        }
        final FindPublisher found = (FindPublisher) reply;
        session.publishing().isPublisherKnown(found.shardIndex(), found.isKnown());
        highest = Math.max(highest, found.lastSequence());
    }

    /** Without an identity it makes no publisher: it changes nothing, and its place in the order is all that matters. */
    private void passOrder(final Session session, final int shard) {
        context.shards()
                .submit(
                        shard,
                        new OpenPublisher(
                                context.settings().ioAgent(),
                                session.id(),
                                shard,
                                session.profile().publisherName(),
                                ""));
    }

    private void find(final Session session, final int shard) {
        context.shards()
                .submit(
                        shard,
                        new FindPublisher(
                                context.settings().ioAgent(),
                                session.id(),
                                shard,
                                session.profile().publisherName()));
    }
}
