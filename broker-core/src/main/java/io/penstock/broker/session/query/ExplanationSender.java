package io.penstock.broker.session.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.security.Action;
import io.penstock.broker.session.client.ClientQuery;
import io.penstock.broker.session.client.QueryResults;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.send.Answers;

/** Tells clients that have asked for it how their queries were answered, before the end of the answer. Confined to one I/O agent. */
final class ExplanationSender {
    private final SessionContext context;

    ExplanationSender(final SessionContext context) {
        this.context = context;
    }

    /**
     * Sends some of an explanation.
     *
     * @param query that is done, and all of whose records are sent.
     * @return whether all of it is sent and there is room for the end of the answer, or there is none to be sent.
     */
    boolean send(final Session session, final ClientQuery query) {
        if (!query.isExplained() || query.isCancelled() || query.run().failure() != null) {
            return true;
        }
        final QueryResults results = query.results();
        byte[] text = results.explanation();
        if (text == null) {
            text = text(session, query);
            results.explanation(text);
        }
        while (results.explainedLength() < text.length && session.outbox().hasRoom()) {
            final int length = partLength(text, results.explainedLength());
            context.answers()
                    .explanation(
                            session.outbox(), query.commandId(), query.id(), text, results.explainedLength(), length);
            results.onExplained(length);
        }
        return results.explainedLength() == text.length && session.outbox().hasRoom();
    }

    private byte[] text(final Session session, final ClientQuery query) {
        // A caller of the admin server comes by a connection of this process, wherever it is.
        final boolean isConditionShown =
                context.gate().allowsAdministration(session.profile().principal(), false, Action.ADMIN_READ, "");
        final String text = query.run().explanation(isConditionShown);
        return text == null ? new byte[0] : text.getBytes(UTF_8);
    }

    /** A part ends between two characters. */
    private static int partLength(final byte[] text, final int start) {
        int end = Math.min(text.length, start + Answers.EXPLANATION_LENGTH_MAX);
        while (end < text.length && (text[end] & 0xC0) == 0x80) {
            end--;
        }
        return end - start;
    }
}
