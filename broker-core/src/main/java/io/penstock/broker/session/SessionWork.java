package io.penstock.broker.session;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.sink.SinkReplies;
import io.penstock.broker.session.subscribe.LogSubscriber;
import io.penstock.broker.session.subscribe.Succession;
import io.penstock.broker.shard.match.DescriptorRing;
import org.jspecify.annotations.Nullable;

/** Outstanding work for a session. */
final class SessionWork {
    private SessionWork() {}

    /** Whether there is nothing to send to a client now. */
    static boolean isIdle(final Session session) {
        if (session.delivery().partSent() > 0
                || session.commands().entries() != null
                || !session.subscriptions().ended().isEmpty()
                || !session.commands().refusals().isEmpty()
                || !session.queries().isEmpty()
                || SinkReplies.isSending(session)
                || Succession.isRetiring(session)
                || !session.isOpen()
                || !session.commands().acks().isEmpty()
                || !session.outbox().isEmpty()
                || !session.delivery().sentPages().isEmpty()
                || !session.subscriptions().recalled().isEmpty()) {
            return false;
        }
        return areDeliveriesSent(session);
    }

    private static boolean areDeliveriesSent(final Session session) {
        if (!isEmpty(session.delivery().filesRing())
                || !isEmpty(session.delivery().replayRing())) {
            return false;
        }
        for (final DescriptorRing ring : session.delivery().liveRings()) {
            if (!isEmpty(ring)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isEmpty(final @Nullable DescriptorRing ring) {
        return ring == null || ring.isEmpty();
    }

    /** The work for which a stopping broker still waits; null when nothing is left to be sent. */
    static @Nullable String left(final Session session, final LogSubscriber logSubscriber) {
        if (session.delivery().partSent() > 0 || !areDeliveriesSent(session)) {
            return "deliveries";
        } else if (!isIdle(session)) {
            return !session.queries().isEmpty() ? "a query" : "answers";
        } else if (!session.connection().isFlushed()) {
            return "its medium to take what was sent";
        } else if (!logSubscriber.isDone(session)) {
            return "subscriptions that are behind";
        }
        return SinkReplies.isDone(session) ? null : "blocks";
    }
}
