package io.penstock.broker.session;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.subscribe.LogSubscriber;
import io.penstock.broker.shard.ShardPort;
import io.penstock.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * Brings sessions to an end when the broker stops: nothing new is taken, and they are closed when nothing is left to be
 * sent to them. Confined to one I/O agent.
 */
final class SessionDrain {
    private final SessionContext context;
    private final SessionTable table;
    private final LogSubscriber logSubscriber;

    SessionDrain(final SessionContext context, final SessionTable table, final LogSubscriber logSubscriber) {
        this.context = context;
        this.table = table;
        this.logSubscriber = logSubscriber;
    }

    /** Refuses new messages and subscriptions from now on. */
    void begin() {
        context.drain();
    }

    /** Whether shards have processed all that was submitted to them. */
    boolean isProcessed() {
        for (final ShardPort port : context.shards().ports()) {
            if (port.processed() != port.submitted()) {
                return false;
            }
        }
        return true;
    }

    /** Whether nothing is left to be sent to any client. */
    boolean isDrained() {
        for (final ShardPort port : context.shards().ports()) {
            if (port.isAnyLagging()) {
                return false;
            }
        }
        for (int i = 0; i < table.slotLimit(); i++) {
            final Session session = table.at(i);
            if (session != null && leftOf(session) != null) {
                return false;
            }
        }
        return true;
    }

    private @Nullable String leftOf(final Session session) {
        return SessionWork.left(session, logSubscriber);
    }

    /** Notifies all clients that the broker stops, reports what is left for them, and closes their sessions. */
    void closeAll() {
        for (int i = 0; i < table.slotLimit(); i++) {
            final Session session = table.at(i);
            if (session != null) {
                final String left = leftOf(session);
                if (left != null) {
                    context.report(EventKind.CUT_OFF, session, left);
                }
                context.fail(
                        session, 0, ErrorCode.SHUTTING_DOWN, "session: broker is shutting down (connect again later)");
                session.outbox().flush();
                table.close(session);
            }
        }
    }
}
