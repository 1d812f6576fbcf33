package io.penstock.broker.session.subscribe;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.feed.FeedEvent;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.shard.command.Resume;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Rate;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Subscriptions that others have superseded, feed by feed: a superseded feed gets everything before the sequence
 * at which its shard took the replacement, and the next one everything from it on. Confined to one I/O agent.
 *
 * <pre>
 *   all enqueued     it ends where the live ring had got to; the next one is live, and follows in the ring
 *   behind            it goes on, from the log or from the state, up to its end; the next one waits, and goes on from there
 * </pre>
 *
 * <p>More than one may be superseded at a time. They end in the order in which they began.
 */
public final class Succession {
    /** Subscriptions of one id that may be superseded at a time. */
    static final int LENGTH_MAX = 16;

    private final SessionContext context;
    private final Starter starter;

    /** Starts a feed that is not known to its shard, with what it is to get next. */
    @FunctionalInterface
    interface Starter {
        void start(Session session, SubscriptionFeed feed);
    }

    Succession(final SessionContext context, final Starter starter) {
        this.context = context;
        this.starter = starter;
    }

    /** Refuses another replacement when too many are not done with. */
    static void checkRoom(final Session session, final long id) {
        int count = 0;
        ClientSubscription last = null;
        for (final SubscriptionFeed feed : session.subscriptions().superseded()) {
            if (feed.subscription().id() == id && feed.subscription() != last) {
                last = feed.subscription();
                count++;
            }
        }
        if (count >= LENGTH_MAX) {
            throw new Refusal(
                    ErrorCode.LIMIT_REACHED,
                    "subscribe: subscription " + id + " was replaced " + count
                            + " times, and what it was to before is not sent yet (read faster, or replace it with"
                            + " sow)");
        }
    }

    /** Whether a feed that begins now has to wait for others. */
    static boolean isLagging(final Session session, final long id, final int shard) {
        return first(session, id, shard) != null;
    }

    /** Whether feeds are superseded that end with what is in their rings. */
    public static boolean isRetiring(final Session session) {
        for (int i = 0, size = session.subscriptions().superseded().size(); i < size; i++) {
            if (session.subscriptions().superseded().get(i).isEnqueued()) {
                return true;
            }
        }
        return false;
    }

    /** Whether nothing is left to be sent to superseded feeds, but to those that are paused. */
    static boolean isDone(final Session session) {
        for (int i = 0, size = session.subscriptions().superseded().size(); i < size; i++) {
            if (!session.subscriptions()
                    .superseded()
                    .get(i)
                    .subscription()
                    .pace()
                    .isPaused()) {
                return false;
            }
        }
        return true;
    }

    /** Whether a subscription that follows state, or was sent it, has not ended yet. */
    static boolean isAnyStateful(final Session session, final long id) {
        for (final SubscriptionFeed feed : session.subscriptions().superseded()) {
            if (feed.subscription().id() == id && feed.subscription().isStateful()) {
                return true;
            }
        }
        return false;
    }

    /** All subscriptions of an id: those that are superseded, and the one that its client knows. */
    static List<ClientSubscription> all(final Session session, final ClientSubscription current) {
        final List<ClientSubscription> all = new ArrayList<>();
        for (final SubscriptionFeed feed : session.subscriptions().superseded()) {
            if (feed.subscription().id() == current.id() && !all.contains(feed.subscription())) {
                all.add(feed.subscription());
            }
        }
        all.add(current);
        return all;
    }

    /** Whether some feed of a subscription is superseded. */
    static boolean isSuperseded(final Session session, final ClientSubscription subscription) {
        for (final SubscriptionFeed feed : session.subscriptions().superseded()) {
            if (feed.subscription() == subscription) {
                return true;
            }
        }
        return false;
    }

    /**
     * Nothing of a subscription, and of those whose place it has taken, is sent until its shards have said where it begins
     * or ends, or from then on.
     */
    static void freeze(final Session session, final ClientSubscription subscription, final boolean isFrozen) {
        for (final ClientSubscription each : all(session, subscription)) {
            for (final SubscriptionFeed feed : each.feeds()) {
                feed.freeze(isFrozen);
            }
        }
    }

    /** A feed ends before a record. */
    void supersede(
            final Session session, final SubscriptionFeed feed, final boolean isEnqueued, final long endSequence) {
        final ClientSubscription subscription = feed.subscription();
        feed.supersede(endSequence);
        session.subscriptions().superseded().add(feed);
        final boolean wasLimited = subscription.pace().rate().isLimited();
        subscription.pace().resume();
        subscription.pace().endCredit();
        subscription.pace().rate(Rate.UNLIMITED);
        final DescriptorRing ring = session.delivery().liveRing(feed.interest().shard());
        if (isEnqueued && ring != null) {
            feed.endInRing(ring.producerPosition());
        } else if (feed.hasEnded()) {
            finish(session, feed);
        } else if (feed.isParked()) {
            if (!session.subscriptions().recalled().contains(feed)
                    && !subscription.pace().isStopped()) {
                starter.start(session, feed);
            }
        } else if (feed.interest().follow() == null && !feed.isWaiting()) {
            // Its cursor does not know yet where to end: the next run is not sent, but read again up to there.
            feed.divert();
            end(feed, wasLimited);
        }
    }

    private void end(final SubscriptionFeed feed, final boolean wasLimited) {
        if (feed.isServedByCursor()) {
            final long number = feed.interest().feed();
            final boolean inFiles = feed.isReadFromFiles();
            final long toSequence = feed.toSequence();
            if (wasLimited) {
                context.shards().onCursors(() -> context.shards().cursors().rate(number, inFiles, Rate.UNLIMITED));
            }
            context.shards().onCursors(() -> context.shards().cursors().end(number, inFiles, toSequence));
        }
    }

    /** A feed begins with a record, when those before it have ended. */
    void await(final Session session, final SubscriptionFeed feed) {
        feed.putOff();
        startNext(session, feed.subscription().id(), feed.interest().shard());
    }

    /** A superseded feed was sent all that is its own. */
    void finish(final Session session, final SubscriptionFeed feed) {
        session.subscriptions().superseded().remove(feed);
        session.subscriptions().feeds().remove(feed.interest().feed());
        if (feed.isServedByCursor() && !feed.isEnqueued()) {
            context.shards().stopCursor(feed);
        }
        startNext(session, feed.subscription().id(), feed.interest().shard());
    }

    /** Ends feeds whose rings were read as far as was enqueued for them. */
    void retire(final Session session) {
        for (int i = session.subscriptions().superseded().size() - 1; i >= 0; i--) {
            final SubscriptionFeed feed = session.subscriptions().superseded().get(i);
            final DescriptorRing ring =
                    session.delivery().liveRing(feed.interest().shard());
            if (feed.isEnqueued() && (ring == null || ring.consumerPosition() >= feed.ringLimit())) {
                session.subscriptions().superseded().remove(i);
                session.subscriptions().feeds().remove(feed.interest().feed());
            }
        }
    }

    /** Ends all superseded feeds of an id; in one shard, or everywhere if it is negative. */
    void drop(final Session session, final long id, final int shard) {
        session.subscriptions().superseded().removeIf(feed -> {
            if (feed.subscription().id() != id || (shard >= 0 && feed.interest().shard() != shard)) {
                return false;
            }
            session.subscriptions().feeds().remove(feed.interest().feed());
            if (feed.isServedByCursor()) {
                context.shards().stopCursor(feed);
            }
            context.shards().unsubscribe(session.id(), feed.interest(), false);
            return true;
        });
    }

    /**
     * Records that were enqueued for a superseded feed have left the window, so that it lags after all: its successors,
     * of which nothing was sent, have to wait.
     *
     * @return the feeds that are to wait, under other numbers; or null when one of them cannot: it follows state.
     */
    @Nullable
    List<SubscriptionFeed> after(final Session session, final SubscriptionFeed feed) {
        final List<SubscriptionFeed> after = new ArrayList<>();
        for (int i = session.subscriptions().superseded().indexOf(feed) + 1;
                i < session.subscriptions().superseded().size();
                i++) {
            final SubscriptionFeed next = session.subscriptions().superseded().get(i);
            if (next.subscription().id() == feed.subscription().id()
                    && next.interest().shard() == feed.interest().shard()) {
                after.add(next);
            }
        }
        final SubscriptionFeed current = current(session, feed);
        if (current != null) {
            after.add(current);
        }
        after.removeIf(SubscriptionFeed::isWaiting);
        return after.stream().anyMatch(each -> each.interest().follow() != null) ? null : after;
    }

    /** The feed that its client knows, in the shard of one that is superseded; null when there is none. */
    @Nullable
    static SubscriptionFeed current(final Session session, final SubscriptionFeed superseded) {
        final ClientSubscription current =
                session.subscriptions().byId().get(superseded.subscription().id());
        return current == null ? null : current.feedIn(superseded.interest().shard());
    }

    private void startNext(final Session session, final long id, final int shard) {
        SubscriptionFeed next = first(session, id, shard);
        if (next == null) {
            final ClientSubscription current = session.subscriptions().byId().get(id);
            next = current == null ? null : current.feedIn(shard);
        }
        if (next == null || !next.isWaiting()) {
            return;
        }
        if (next.interest().follow() != null) {
            next.on(FeedEvent.RELEASED);
            context.shards()
                    .submit(
                            shard,
                            new Resume(
                                    context.settings().ioAgent(),
                                    session.id(),
                                    next.interest().feed()));
        } else if (next.subscription().pace().isHeldBack()) {
            next.on(FeedEvent.HELD_BACK);
        } else {
            starter.start(session, next);
        }
    }

    /** The first feed of an id that is superseded and lags, or null. */
    private static @Nullable SubscriptionFeed first(final Session session, final long id, final int shard) {
        for (final SubscriptionFeed feed : session.subscriptions().superseded()) {
            if (feed.subscription().id() == id && feed.interest().shard() == shard && !feed.isEnqueued()) {
                return feed;
            }
        }
        return null;
    }
}
