package io.penstock.broker.session;

import io.penstock.broker.shard.match.DescriptorRing;
import org.jspecify.annotations.Nullable;

/** What is left to be done for a session. */
final class SessionWork {
    private SessionWork() {}

    /** Whether there is nothing to send to a client now. */
    static boolean isIdle(final Session session) {
        if (session.partSent > 0
                || session.entries != null
                || !session.ended.isEmpty()
                || !session.refusals.isEmpty()
                || session.isQuerying()
                || SinkReplies.isSending(session)
                || Succession.isRetiring(session)
                || !session.isOpen()
                || !session.acks.isEmpty()
                || !session.outbox.isEmpty()
                || !session.sentPages.isEmpty()
                || !session.recalled.isEmpty()) {
            return false;
        }
        return areDeliveriesSent(session);
    }

    private static boolean areDeliveriesSent(final Session session) {
        if (!isEmpty(session.filesRing) || !isEmpty(session.replayRing)) {
            return false;
        }
        for (final DescriptorRing ring : session.liveRings) {
            if (!isEmpty(ring)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isEmpty(final @Nullable DescriptorRing ring) {
        return ring == null || ring.isEmpty();
    }

    /** What a broker that stops still waits for; null when nothing is left to be sent. */
    static @Nullable String left(final Session session, final LogSubscriber logSubscriber) {
        if (session.partSent > 0 || !areDeliveriesSent(session)) {
            return "deliveries";
        } else if (!isIdle(session)) {
            return session.isQuerying() ? "a query" : "answers";
        } else if (!session.connection.isFlushed()) {
            return "its medium to take what was sent";
        } else if (!logSubscriber.isDone(session)) {
            return "subscriptions that are behind";
        }
        return SinkReplies.isDone(session) ? null : "blocks";
    }
}
