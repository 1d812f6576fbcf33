package io.penstock.standalone.message;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.QueryStream;
import io.penstock.client.SowRequest;
import io.penstock.client.SowStats;
import io.penstock.format.FieldSet;
import io.penstock.standalone.console.Colour;
import io.penstock.standalone.console.ControlCharacters;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Warns of fields in a filter that no record has: a name that is spelt wrongly makes a filter that is true of nothing, or of
 * everything. The records of topics with state are asked; of messages that were published to others nobody knows.
 */
public final class FieldWarning {
    /** Time for all fields together: answers that take longer are not worth it. */
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

    private FieldWarning() {}

    /**
     * Says which fields are not there. A question that is not answered in time is no warning.
     *
     * @param client    to ask with.
     * @param topic     as the user gave it.
     * @param isPattern whether it is a pattern.
     * @param filter    as the user gave it; empty for none.
     * @param err       to say it on.
     */
    public static void warn(
            final PenstockClient client,
            final String topic,
            final boolean isPattern,
            final String filter,
            final PrintWriter err) {
        final List<String> missing = missing(
                fields(filter),
                SystemNanoClock.INSTANCE,
                (field, timeout) -> isMissing(client, topic, isPattern, field, timeout));
        for (final String field : missing) {
            err.println(
                    Colour.warning() + ControlCharacters.onErr(" no record of " + topic + " has a value in " + field)
                            + " now (look how it is spelt: upper and lower case differ)");
        }
        err.flush();
    }

    /** One that the broker will refuse has none. */
    private static FieldSet fields(final String filter) {
        try {
            return FilterCompiler.compile(filter, new FieldSet(), FilterLimits.DEFAULTS, SystemEpochClock.INSTANCE)
                    .ownFields();
        } catch (final FilterException e) {
            return new FieldSet();
        }
    }

    /**
     * Asks for one field after the other, as long as there is time.
     *
     * @param fields    to ask for.
     * @param clock     for the time that there is.
     * @param isMissing whether a field is not there; false when that cannot be said within a time.
     * @return those that are not there.
     */
    static List<String> missing(
            final FieldSet fields, final NanoClock clock, final BiPredicate<String, Duration> isMissing) {
        final long startNs = clock.nanoTime();
        final List<String> missing = new ArrayList<>();
        for (int i = 0; i < fields.count(); i++) {
            final Duration left = Duration.ofNanos(TIMEOUT_NS - (clock.nanoTime() - startNs));
            if (left.toMillis() <= 0) {
                break;
            }
            final String field = fields.path(i).toString();
            if (isMissing.test(field, left)) {
                missing.add(field);
            }
        }
        return missing;
    }

    private static boolean isMissing(
            final PenstockClient client,
            final String topic,
            final boolean isPattern,
            final String field,
            final Duration timeout) {
        final SowRequest request = (isPattern ? SowRequest.pattern(topic) : SowRequest.topic(topic))
                .filter(field + " IS NOT NULL")
                .top(1)
                .timeout(timeout);
        try (QueryStream stream = client.sowStream(request)) {
            if (stream.poll(timeout) != null || !stream.isComplete()) {
                return false;
            }
            final SowStats stats = stream.stats();
            return stats.matches() == 0 && stats.topicMatches() > 0;
        } catch (final PenstockException e) {
            return false;
        }
    }
}
