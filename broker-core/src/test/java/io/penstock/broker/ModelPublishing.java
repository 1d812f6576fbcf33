package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.BrokerError;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Publishes random messages to the broker and to the model. */
final class ModelPublishing {
    static final int PAD_LENGTH_MAX = 6000;
    private static final int STORY_LENGTH_MAX = 400;
    private static final String PAD = "x".repeat(PAD_LENGTH_MAX);
    private static final List<String> TEXTS = List.of("a", "ab", "b", "");

    final ModelClient publisher;
    int refusedCount;
    long publishCount;
    long deltaCount;
    private final TestBroker broker;
    private final StateModel model;
    private final Random random;
    private final List<StateModel.Publish> published = new ArrayList<>();

    ModelPublishing(final TestBroker broker, final StateModel model, final Random random) {
        this.broker = broker;
        this.model = model;
        this.random = random;
        publisher = new ModelClient(broker);
    }

    /** Publishes messages, most of them to one topic, and says which. */
    String some(final ModelTopic topic, final int count, final int padLength) {
        final StringBuilder what = new StringBuilder();
        for (int i = 0; i < count; i++) {
            final ModelTopic to = random.nextInt(3) > 0 ? topic : model.topics.get(random.nextInt(model.topics.size()));
            publish(to, padLength, what);
            if (random.nextInt(4) < (model.views.isEmpty() ? 1 : 3)) {
                broker.cycle();
            }
        }
        flush();
        return count + " " + what;
    }

    private void publish(final ModelTopic topic, final int padLength, final StringBuilder what) {
        final Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        final boolean delta = random.nextInt(4) == 0;
        topic.keyFields.forEach(field ->
                fields.put(field, field + random.nextInt(topic.keyFields.size() > 1 ? 4 : 16)));
        final String given = topic.isPublisherKey() ? "g" + random.nextInt(12) : "";
        put(fields, "p", (double) random.nextInt(20), delta);
        put(fields, "g", (double) random.nextInt(4), delta);
        put(fields, "d", random.nextInt(10) * 0.5, delta);
        put(fields, "t", TEXTS.get(random.nextInt(4)), delta);
        put(fields, "o", object(delta), delta);
        if (padLength > 100) {
            fields.put("pad", PAD.substring(0, padLength));
        }
        final long expirationMs = switch (random.nextInt(10)) {
            case 0 -> -1;
            case 1 -> 20 + random.nextInt(300);
            default -> 0;
        };
        final String key = topic.key(fields, given);
        final String text = ModelJson.write(fields);
        final long commandId = publisher.publish(topic.name, given, text, delta, expirationMs);
        published.add(new StateModel.Publish(commandId, topic, key, ModelJson.parse(text), delta, expirationMs));
        if (what.length() < STORY_LENGTH_MAX) {
            what.append(topic.name).append(delta ? "+" : "=").append(given);
            what.append(ModelSubscription.canonical(ModelJson.parse(text)))
                    .append(expirationMs == 0 ? " " : " for " + expirationMs + " ");
        }
        publishCount += delta ? 0 : 1;
        deltaCount += delta ? 1 : 0;
    }

    private void put(
            final Map<String, @Nullable Object> fields, final String name, final Object value, final boolean delta) {
        if (random.nextInt(4) > 0) {
            fields.put(name, value);
        } else if (delta && random.nextBoolean()) {
            fields.put(name, null);
        }
    }

    /** An object with an object and an array inside; rarely something else in its place. */
    private Object object(final boolean delta) {
        if (random.nextInt(12) == 0) {
            return random.nextBoolean() ? (Object) 5.0 : "";
        }
        final Map<String, @Nullable Object> object = new LinkedHashMap<>();
        put(object, "x", (double) random.nextInt(20), delta);
        final Map<String, @Nullable Object> inner = new LinkedHashMap<>();
        put(inner, "z", TEXTS.get(random.nextInt(4)), delta);
        put(inner, "w", random.nextInt(10) * 0.5, delta);
        put(object, "y", inner, delta);
        final List<Object> items = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            items.add((double) random.nextInt(6));
        }
        put(object, "v", items, delta);
        return object;
    }

    /** Lets the broker apply publishes, and reports those that it did not refuse to the model. */
    private void flush() {
        publisher.flush();
        broker.settle();
        for (final StateModel.Publish message : published) {
            final BrokerError refusal = publisher.refusals.get(message.commandId());
            if (refusal == null) {
                model.publish(message, broker.clock.nanoTime());
            } else {
                assertThat(refusal.errorCode()).isEqualTo(ErrorCode.STATE_FULL);
                refusedCount++;
            }
        }
        published.clear();
        model.absorb(broker.clock.nanoTime());
    }
}
