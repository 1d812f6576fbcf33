package io.penstock.standalone.query;

import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.QueryStream;
import io.penstock.client.SowRequest;
import io.penstock.client.TopicInfo;
import io.penstock.standalone.console.FieldNames;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The topics of a broker and the fields of their records, for completion. Asked of the broker, and kept for a while. */
final class Vocabulary {
    private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int SAMPLE_COUNT = 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final int TOPIC_COUNT_MAX = 1000;

    private final Supplier<PenstockClient> client;
    private final Map<String, List<String>> fields = new HashMap<>();
    private List<String> topics = List.of();
    private long askedNs;

    Vocabulary(final Supplier<PenstockClient> client) {
        this.client = client;
        askedNs = System.nanoTime() - FRESH_NS;
    }

    /** The names of the topics; those of before when the broker does not answer. */
    List<String> topics() {
        if (System.nanoTime() - askedNs >= FRESH_NS) {
            askedNs = System.nanoTime();
            fields.clear();
            try {
                topics = client.get().topics("").stream()
                        .map(TopicInfo::name)
                        .limit(TOPIC_COUNT_MAX)
                        .toList();
            } catch (final PenstockException e) {
                // The next statement says what is wrong.
            }
        }
        return topics;
    }

    /** The fields that some records of a topic have; none when it keeps none. */
    List<String> fields(final String topic) {
        return topics().contains(topic) ? fields.computeIfAbsent(topic, this::ask) : List.of();
    }

    private List<String> ask(final String topic) {
        final TreeSet<String> names = new TreeSet<>();
        try (QueryStream stream =
                client.get().sowStream(SowRequest.topic(topic).top(SAMPLE_COUNT).timeout(TIMEOUT))) {
            for (final Message record : stream) {
                names.addAll(FieldNames.of(record.text()));
            }
        } catch (final PenstockException e) {
            // It keeps no records, or takes too long.
        }
        return List.copyOf(names);
    }
}
