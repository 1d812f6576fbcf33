package io.penstock.standalone.message;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.FilterException;
import io.penstock.broker.filter.FilterLimits;
import io.penstock.broker.format.FieldSet;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.QueryStream;
import io.penstock.client.SowRequest;
import io.penstock.client.SowStats;
import java.io.PrintWriter;
import org.agrona.concurrent.SystemEpochClock;

/**
 * Warns of fields in a filter that no record has: a name that is spelt wrongly makes a filter that is true of nothing, or of
 * everything. The records of topics with state are asked; of messages that were published to others nobody knows.
 */
final class FieldWarning {
    /** As long as a broker works on one question at most: an answer that takes longer is not worth it. */
    private static final int TIMEOUT_MS = 1000;

    private FieldWarning() {}

    /**
     * Says which fields are not there. A question that is not answered is no warning.
     *
     * @param client    to ask with.
     * @param topic     as the user gave it.
     * @param isPattern whether it is a pattern.
     * @param filter    as the broker has taken it; empty for none.
     * @param err       to say it on.
     */
    static void warn(
            final PenstockClient client,
            final String topic,
            final boolean isPattern,
            final String filter,
            final PrintWriter err) {
        final FieldSet fields = fields(filter);
        for (int i = 0; i < fields.count(); i++) {
            final String field = fields.path(i).toString();
            if (isMissing(client, topic, isPattern, field)) {
                err.println("warning: no record of " + topic + " has a value in " + field
                        + " now (look how it is spelt: upper and lower case differ)");
                err.flush();
            }
        }
    }

    private static FieldSet fields(final String filter) {
        try {
            return FilterCompiler.compile(filter, new FieldSet(), FilterLimits.DEFAULTS, SystemEpochClock.INSTANCE)
                    .ownFields();
        } catch (final FilterException e) {
            return new FieldSet();
        }
    }

    private static boolean isMissing(
            final PenstockClient client, final String topic, final boolean isPattern, final String field) {
        final SowRequest request = (isPattern ? SowRequest.pattern(topic) : SowRequest.topic(topic))
                .filter(field + " IS NOT NULL")
                .limit(1, 0)
                .timeout(TIMEOUT_MS);
        try (QueryStream stream = client.sowStream(request)) {
            stream.forEach(record -> {
                // One at most, which is of no interest itself.
            });
            final SowStats stats = stream.stats();
            return stats.matches() == 0 && stats.topicMatches() > 0;
        } catch (final PenstockException e) {
            return false;
        }
    }
}
