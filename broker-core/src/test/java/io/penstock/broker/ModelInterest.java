package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.ModelTopic.Event;
import io.penstock.client.RecordKind;
import io.penstock.client.SubscribeRequest;
import java.util.HashMap;
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
    private final List<String> selected;

    ModelInterest(final ModelTopic topic, final Random random) {
        this.topic = topic;
        filter = ModelFilter.random(random);
        SubscribeRequest asked = SubscribeRequest.topic(topic.name).filter(filter.text());
        final boolean sow = random.nextInt(4) > 0;
        if (sow) {
            asked = asked.sow();
            if (random.nextInt(6) == 0) {
                asked = asked.state("p", random.nextInt(5), random.nextInt(2));
            }
        }
        final boolean plain = random.nextInt(3) == 0;
        if (!plain && random.nextInt(3) > 0) {
            asked = asked.oof();
        }
        if (!plain && random.nextInt(2) == 0) {
            asked = asked.delta(random.nextInt(3) == 0);
        }
        selected = !plain && random.nextInt(3) == 0 ? List.of("p", "t") : List.of();
        if (!selected.isEmpty()) {
            asked = asked.select("p, t");
        }
        if (!plain && random.nextInt(5) == 0) {
            asked = asked.conflation(CONFLATION_MS);
        }
        request = asked;
    }

    boolean isConflated() {
        return request.conflationMs() > 0;
    }

    /** Whether it is served from changes of records, and not from the log as it is. */
    boolean isFollower() {
        return request.isOof() || request.isDelta() || !selected.isEmpty() || isConflated();
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
            final Map<String, @Nullable Object> changed = changed(old, now);
            return changed.isEmpty() ? null : line(RecordKind.DELTA, withKey(changed, now));
        }
        if (matchesNow) {
            return line(RecordKind.MESSAGE, selected(now));
        }
        if (!request.isOof() || !matchedBefore) {
            return null;
        }
        return now != null
                ? line(RecordKind.OOF_MATCH, selected(now))
                : line(Objects.requireNonNull(event.reason()), selected(old));
    }

    /** Compares what a client knows of a record with the record. */
    void assertShows(
            final Object of, final Map<String, @Nullable Object> shown, final Map<String, @Nullable Object> record) {
        final Map<String, Object> expected = ModelJson.present(selected(record));
        final Map<String, Object> present = ModelJson.present(shown);
        if (request.isDelta() && request.noEmpties()) {
            // It is not told of fields that have become empty.
            expected.values().removeIf(""::equals);
            present.keySet().retainAll(expected.keySet());
        }
        assertThat(present).as("%s", of).isEqualTo(expected);
    }

    private static String line(final RecordKind kind, final Map<String, @Nullable Object> fields) {
        return kind + " " + ModelSubscription.canonical(fields);
    }

    private Map<String, @Nullable Object> changed(
            final Map<String, @Nullable Object> old, final Map<String, @Nullable Object> now) {
        final Map<String, @Nullable Object> changed = new HashMap<>();
        now.forEach((name, value) -> {
            if (isSelected(name) && (!old.containsKey(name) || !Objects.equals(old.get(name), value))) {
                changed.put(name, value);
            }
        });
        old.keySet().forEach(name -> {
            if (isSelected(name) && old.get(name) != null && !now.containsKey(name)) {
                changed.put(name, null);
            }
        });
        if (request.noEmpties()) {
            changed.values().removeIf(value -> value == null || value.equals(""));
        }
        return changed;
    }

    private Map<String, @Nullable Object> withKey(
            final Map<String, @Nullable Object> changed, final Map<String, @Nullable Object> now) {
        topic.keyFields.forEach(field -> changed.put(field, now.get(field)));
        return changed;
    }

    private boolean isSelected(final String name) {
        return selected.isEmpty() || selected.contains(name);
    }

    private Map<String, @Nullable Object> selected(final Map<String, @Nullable Object> fields) {
        final Map<String, @Nullable Object> kept = new HashMap<>(fields);
        if (!selected.isEmpty()) {
            kept.keySet().removeIf(name -> !selected.contains(name) && !topic.keyFields.contains(name));
            if (request.noEmpties()) {
                kept.values().removeIf(value -> value == null || value.equals(""));
            }
        }
        return kept;
    }
}
