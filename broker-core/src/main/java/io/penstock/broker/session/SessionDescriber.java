package io.penstock.broker.session;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.monitor.ClientInfo;
import io.penstock.broker.monitor.QueryInfo;
import io.penstock.broker.monitor.SubscriptionInfo;
import io.penstock.broker.session.client.ClientQuery;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.transport.Connection;
import java.util.Arrays;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;

/** Describes the sessions of one I/O agent for those who watch the broker. Confined to that agent. */
final class SessionDescriber {
    private final SessionContext context;
    private final BrokerCounters counters;

    /** Ids of the counters that have the last sequence of each shard; made at first use, when all counters are there. */
    private int @Nullable [] lastSequences;

    SessionDescriber(final SessionContext context, final BrokerCounters counters) {
        this.context = context;
        this.counters = counters;
    }

    ClientInfo client(final Session session) {
        final Connection connection = session.connection();
        final int[] behind = new int[1];
        final long[] lag = new long[1];
        session.subscriptions().byId().forEach(subscription -> {
            if (stateOf(subscription) != SubscriptionInfo.State.LIVE) {
                behind[0]++;
            }
            lag[0] = Math.max(lag[0], lag(subscription));
        });
        return new ClientInfo(
                session.id(),
                session.profile().name(),
                session.profile().user(),
                stateOf(session),
                session.profile().protocolVersion(),
                new ClientInfo.Connection(
                        connection.peer(),
                        connection.isLocal(),
                        connection.peerIdentity().isEncrypted(),
                        context.nowNs() - session.times().connectedNs(),
                        context.nowNs() - session.times().lastReceivedNs()),
                new ClientInfo.Work(
                        session.subscriptions().byId().size(),
                        behind[0],
                        session.queries().running().size()
                                + session.queries().histories().size(),
                        lag[0]),
                new ClientInfo.Traffic(
                        queued(session),
                        Math.max(0, session.delivery().sentPosition() - connection.completedPosition()),
                        session.publishing().messageCount(),
                        session.delivery().messageCount(),
                        session.delivery().byteCount()));
    }

    SubscriptionInfo subscription(final Session session, final ClientSubscription subscription) {
        return new SubscriptionInfo(
                session.id(),
                session.profile().name(),
                session.profile().user(),
                subscription.id(),
                new SubscriptionInfo.Wanted(
                        subscription.topics().text(),
                        !subscription.topics().isLiteral(),
                        subscription.filter(),
                        kindOf(subscription)),
                stateOf(subscription),
                new SubscriptionInfo.Progress(
                        subscription.feeds().length, lag(subscription), subscription.deliveryCount()));
    }

    QueryInfo query(final Session session, final ClientQuery query) {
        return new QueryInfo(
                session.id(),
                session.profile().name(),
                session.profile().user(),
                query.commandId(),
                query.subscription() != null,
                query.sources().size(),
                query.run().found(),
                query.results().recordCount());
    }

    private static ClientInfo.State stateOf(final Session session) {
        return switch (session.state()) {
            case CONNECTED -> ClientInfo.State.CONNECTED;
            case LOGGING_ON -> ClientInfo.State.LOGGING_ON;
            case ACTIVE -> ClientInfo.State.ACTIVE;
            case CLOSING, CUT_OFF, CLOSED -> ClientInfo.State.CLOSING;
        };
    }

    private static SubscriptionInfo.Kind kindOf(final ClientSubscription subscription) {
        if (!subscription.isStateful()) {
            return SubscriptionInfo.Kind.MESSAGES;
        }
        return subscription.follow() != null && subscription.follow().delta()
                ? SubscriptionInfo.Kind.DELTA
                : SubscriptionInfo.Kind.STATE;
    }

    private static SubscriptionInfo.State stateOf(final ClientSubscription subscription) {
        if (subscription.pace().isPaused()) {
            return SubscriptionInfo.State.PAUSED;
        }
        SubscriptionInfo.State state = SubscriptionInfo.State.LIVE;
        for (final SubscriptionFeed feed : subscription.feeds()) {
            if (feed.isParked()) {
                return SubscriptionInfo.State.PAUSED;
            }
            if (feed.isServedByCursor()) {
                state = SubscriptionInfo.State.BEHIND;
            } else if (feed.hasEnded()) {
                state = SubscriptionInfo.State.ENDED;
            } else if (feed.isSwitching() || feed.isStarting() || feed.isWaiting()) {
                state = SubscriptionInfo.State.STARTING;
            }
        }
        return state;
    }

    private long lag(final ClientSubscription subscription) {
        long lag = 0;
        for (final SubscriptionFeed feed : subscription.feeds()) {
            if (feed.isServedByCursor() || feed.isParked()) {
                final long known = Math.max(feed.sentSequence(), feed.isParked() ? feed.nextSequence() - 1 : 0);
                lag = Math.max(lag, lastSequence(feed.interest().shard()) - known);
            }
        }
        return lag;
    }

    private static long queued(final Session session) {
        long queued = length(session.delivery().filesRing())
                + length(session.delivery().replayRing());
        for (final DescriptorRing ring : session.delivery().liveRings()) {
            queued += length(ring);
        }
        return queued;
    }

    private static long length(final @Nullable DescriptorRing ring) {
        return ring == null ? 0 : ring.count();
    }

    private long lastSequence(final int shard) {
        int[] ids = lastSequences;
        if (ids == null) {
            ids = new int[context.shards().count()];
            Arrays.fill(ids, CountersReader.NULL_COUNTER_ID);
            final int[] found = ids;
            counters.reader().forEach((value, id, label) -> {
                for (int i = 0; i < found.length; i++) {
                    if (label.equals("shard-" + i + ".lastSequence")) {
                        found[i] = id;
                    }
                }
            });
            lastSequences = ids;
        }
        return counters.reader().getCounterValue(ids[shard]);
    }
}
