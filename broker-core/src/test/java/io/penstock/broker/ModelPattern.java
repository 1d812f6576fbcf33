package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.ModelTopic.Event;
import io.penstock.broker.ModelTopic.Version;
import io.penstock.client.BrokerError;
import io.penstock.client.RecordKind;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A subscription to all topics whose names match, with a part in each shard; with their state first, or without. */
final class ModelPattern {
    private static final List<Pattern> PATTERNS = Stream.of(
                    ".*", "one|two", "late.*|fading", "[a-h].*", "t.+|given|groups")
            .map(Pattern::compile)
            .toList();

    final SubscribeRequest request;
    boolean ended;
    private int resyncCount;
    private final StateModel model;
    private final Pattern pattern;
    private final ModelFilter filter;
    private final Part[] parts;
    private int openGroups;
    private long promised;
    private long came;

    /** What has come from one shard. */
    private static final class Part {
        private final Map<String, Map<String, @Nullable Object>> picture = new HashMap<>();
        private final List<String> delivered = new ArrayList<>();
        private long since;
        private long comparedTo;
        private long lastSequence;
        private long begun = -1;

        /** Topics of the group that has begun: one that comes again begins another group. */
        final Set<String> begunTopics = new HashSet<>();
    }

    ModelPattern(final StateModel model, final int shardCount, final Random random) {
        this.model = model;
        pattern = PATTERNS.get(random.nextInt(PATTERNS.size()));
        filter = ModelFilter.random(random);
        final SubscribeRequest asked =
                SubscribeRequest.pattern(pattern.pattern()).filter(filter.text());
        request = random.nextInt(3) > 0 ? asked.sow() : asked;
        parts = new Part[shardCount];
        for (int i = 0; i < shardCount; i++) {
            parts[i] = new Part();
            parts[i].comparedTo = model.sequence(i);
            parts[i].lastSequence = model.sequence(i);
            parts[i].since = model.sequence(i);
        }
        openGroups = request.isSow() ? 1 : 0;
    }

    /** The state of a shard's topics begins: one group for all of them, and each topic announced. */
    void onBegin(final long commandId, final String topic, final int shard, final long sequence) {
        final Part part = parts[shard];
        if (part.begun == sequence && part.begunTopics.add(topic)) {
            return;
        }
        part.begunTopics.clear();
        part.begunTopics.add(topic);
        if (commandId == 0) {
            resyncCount++;
            openGroups++;
        }
        part.begun = sequence;
        part.since = sequence;
        part.comparedTo = sequence;
        part.lastSequence = sequence;
        part.picture.clear();
        part.delivered.clear();
    }

    void onEnd(final long returned) {
        openGroups--;
        promised += returned;
    }

    void onRecord(final String topicName, final int shard, final StateClient.Delivery delivery) {
        final Part part = parts[shard];
        final ModelTopic topic = topic(topicName);
        final Map<String, @Nullable Object> fields = ModelJson.parse(delivery.text());
        final String key = Objects.requireNonNull(topic.key(fields, delivery.key()));
        final String id = topicName + " " + key;
        final long sequence = delivery.sequence();
        final Version version;
        if (delivery.kind() == RecordKind.STATE) {
            came++;
            assertThat(part.picture).as("once: %s", delivery).doesNotContainKey(id);
            version = topic.isAmbiguous(part.since) ? topic.at(key, sequence) : topic.at(key, part.since);
        } else {
            assertThat(delivery.kind()).isEqualTo(RecordKind.MESSAGE);
            assertThat(sequence).as("sequence of %s", delivery).isGreaterThan(part.lastSequence);
            part.lastSequence = sequence;
            part.delivered.add(sequence + " " + id);
            version = topic.at(key, sequence);
        }
        assertThat(version).as("at %d: %s", part.since, delivery).isNotNull();
        assertThat(version.sequence()).as("%s", delivery).isEqualTo(sequence);
        assertThat(ModelJson.present(fields)).as("%s", delivery).isEqualTo(ModelJson.present(version.fields()));
        assertThat(filter.matches(version.fields())).as("%s", delivery).isTrue();
        part.picture.put(id, fields);
    }

    void onError(final BrokerError error) {
        assertThat(error.errorCode()).isIn(ErrorCode.FELL_BEHIND, ErrorCode.SNAPSHOT_TOO_OLD);
        assertThat(error.errorCode() == ErrorCode.FELL_BEHIND && request.isSow())
                .as("ended, though it could be sent the state: %s", error)
                .isFalse();
        ended = true;
    }

    /** How often the state of a shard has come anew since the last call. */
    int takeResyncs() {
        final int count = resyncCount;
        resyncCount = 0;
        return count;
    }

    /** Compares what has come since the last call with what should have, when nothing is on its way. */
    void check() {
        assertThat(openGroups).as("states that have not ended").isZero();
        assertThat(came).as("records of states").isEqualTo(promised);
        for (int shard = 0; shard < parts.length; shard++) {
            final Part part = parts[shard];
            final Map<Long, String> expected = new TreeMap<>();
            for (final ModelTopic topic : topics(shard)) {
                for (int i = topic.events.size() - 1; i >= 0; i--) {
                    final Event event = topic.events.get(i);
                    if (event.last() <= part.comparedTo) {
                        break;
                    }
                    if (event.first() > part.comparedTo
                            && filter.matches(event.after().fields())) {
                        expected.put(event.first(), event.first() + " " + topic.name + " " + event.key());
                    }
                }
            }
            assertThat(part.delivered)
                    .as("each change of shard %d since %d", shard, part.comparedTo)
                    .isEqualTo(List.copyOf(expected.values()));
            part.delivered.clear();
            part.comparedTo = model.sequence(shard);
            checkPicture(part, shard);
        }
    }

    private void checkPicture(final Part part, final int shard) {
        final boolean fromState = part.begun >= 0;
        for (final ModelTopic topic : topics(shard)) {
            topic.newest().values().forEach(version -> {
                if (filter.matches(version.fields()) && (fromState || version.sequence() > part.since)) {
                    final Map<String, @Nullable Object> shown = part.picture.get(topic.name + " " + version.key());
                    assertThat(shown).as("missed %s", version).isNotNull();
                    assertThat(ModelJson.present(shown)).isEqualTo(ModelJson.present(version.fields()));
                }
            });
        }
    }

    private List<ModelTopic> topics(final int shard) {
        return model.all().stream()
                .filter(topic ->
                        topic.shard == shard && pattern.matcher(topic.name).matches())
                .toList();
    }

    private ModelTopic topic(final String name) {
        assertThat(name).matches(pattern);
        return model.all().stream()
                .filter(each -> each.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public String toString() {
        return request.toString();
    }
}
