package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.ModelTopic.Event;
import io.penstock.client.RecordKind;
import io.penstock.client.SubscribeRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What a subscription is about, and what it gets of each change. */
final class ModelInterest {
    static final int CONFLATION_MS = 50;

    final ModelTopic topic;
    final ModelFilter filter;
    final SubscribeRequest request;
    private final ModelSelection selection;

    ModelInterest(final ModelTopic topic, final Random random) {
        this.topic = topic;
        filter = ModelFilter.random(random);
        SubscribeRequest asked = SubscribeRequest.topic(topic.name).filter(filter.text());
        final boolean sow = random.nextInt(4) > 0;
        if (sow) {
            asked = asked.sow();
            if (random.nextInt(6) == 0) {
                asked = asked.orderBy("p").top(random.nextInt(5)).skip(random.nextInt(2));
            }
        }
        final boolean plain = random.nextInt(3) == 0;
        if (!plain && random.nextInt(3) > 0) {
            asked = asked.oof();
        }
        if (!plain && random.nextInt(2) == 0) {
            asked = random.nextInt(3) == 0 ? asked.delta().withoutEmpties() : asked.delta();
        }
        final List<String> paths = plain || random.nextInt(3) > 0
                ? List.of()
                : random.nextBoolean() ? List.of("p", "t") : List.of("p", "/o/x", "/o/y/z");
        if (!paths.isEmpty()) {
            asked = asked.select(String.join(", ", paths));
        }
        if (!plain && random.nextInt(5) == 0) {
            asked = asked.conflation(Duration.ofMillis(CONFLATION_MS));
        }
        request = asked;
        selection = new ModelSelection(paths, topic.keyFields, asked.isWithoutEmpties());
    }

    boolean isConflated() {
        return request.conflationMs() > 0;
    }

    /** Whether it is served from changes of records, and not from the log as it is. */
    boolean isFollower() {
        return request.isOof() || request.isDelta() || !selection.paths().isEmpty() || isConflated();
    }

    /** Whether the state is sent again when it lags too far. */
    boolean isStateful() {
        return isFollower() || request.isSow();
    }

    /** A record of before the subscription may go out of focus, though it never was in the picture. */
    boolean sinceStart(final String key, final long sequence) {
        return !request.isSow() && topic.versions(key).stream().anyMatch(version -> version.sequence() <= sequence);
    }

    /** What is delivered of a change: kind and fields; null for nothing. */
    @Nullable
    String expected(final Event event) {
        final Map<String, @Nullable Object> now = event.after().fields();
        final Map<String, @Nullable Object> old = event.oldFields();
        final boolean matchesNow = filter.matches(now);
        final boolean matchedBefore = filter.matches(old);
        if (matchesNow && matchedBefore && request.isDelta()) {
            final Map<String, @Nullable Object> changed = selection.changed(old, now);
            return changed == null ? null : line(RecordKind.DELTA, changed);
        }
        if (matchesNow) {
            return line(RecordKind.MESSAGE, selection.of(now));
        }
        if (!request.isOof() || !matchedBefore) {
            return null;
        }
        return now != null
                ? line(RecordKind.OOF_MATCH, selection.of(now))
                : line(Objects.requireNonNull(event.reason()), selection.of(old));
    }

    /** Compares what a client knows of a record with the record. */
    void assertShows(
            final Object of, final Map<String, @Nullable Object> shown, final Map<String, @Nullable Object> record) {
        final Map<String, Object> expected = ModelJson.present(selection.of(record));
        final Map<String, Object> present = ModelJson.present(shown);
        if (request.isDelta() && request.isWithoutEmpties()) {
            // It is not notified of fields that have become empty.
            ModelSelection.forgetEmpties(present, expected);
        }
        if (!selection.paths().isEmpty()) {
            // An object is left out when all of its selected fields are removed.
            ModelSelection.forgetEmptyObjects(expected);
            ModelSelection.forgetEmptyObjects(present);
        }
        assertThat(present).as("%s", of).isEqualTo(expected);
    }

    private static String line(final RecordKind kind, final Map<String, @Nullable Object> fields) {
        return kind + " " + ModelSubscription.canonical(fields);
    }
}
