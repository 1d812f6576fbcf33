package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.AckType;
import io.penstock.client.ClientConfig;
import io.penstock.client.LogPlace;
import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.PublishStore;
import io.penstock.client.ReplayRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.agrona.CloseHelper;

/**
 * Named publishers, one whose first server is each node, and readers of each node's log. What was acknowledged and what was
 * seen is kept, and checked against each other.
 */
final class LoadClients implements AutoCloseable {
    static final String TOPIC = "orders";
    private static final int LONG = 1_000_000;
    private static final int IN_FLIGHT_MAX = 300;

    private final List<String> endpoints;
    private final List<PenstockClient> publishers = new ArrayList<>();
    private final Map<Integer, PenstockClient> readers = new HashMap<>();
    private final Map<Integer, List<Message>> seen = new ConcurrentHashMap<>();
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Set<String> failures = ConcurrentHashMap.newKeySet();
    private final int[] published;
    private int others;

    /** Connects publishers. */
    LoadClients(final List<String> endpoints) {
        this.endpoints = new ArrayList<>(endpoints);
        published = new int[endpoints.size()];
        for (int i = 0; i < endpoints.size(); i++) {
            final List<String> servers = new ArrayList<>(endpoints);
            Collections.rotate(servers, -i);
            publishers.add(PenstockClient.connect(ClientConfig.builder(servers.get(0))
                    .servers(servers.subList(1, servers.size()).toArray(new String[0]))
                    .name("publisher-" + i)
                    .reconnect()
                    .publishStore(PublishStore.inMemory())
                    // A logon with a name waits for a majority.
                    .connectTimeout(Duration.ofMinutes(3))
                    .publishTimeout(Duration.ofMinutes(3))
                    .requestTimeout(Duration.ofMinutes(3))
                    .build()));
        }
    }

    /** Reads the log of a node from its beginning, and goes on with it. */
    void read(final int node, final String endpoint) {
        final PenstockClient reader = PenstockClient.connect(ClientConfig.builder(endpoint)
                .requestTimeout(Duration.ofMinutes(3))
                .build());
        CloseHelper.quietClose(readers.put(node, reader));
        final List<Message> messages = Collections.synchronizedList(new ArrayList<>());
        seen.put(node, messages);
        reader.subscribe(
                ReplayRequest.topic(TOPIC).from(LogPlace.BEGINNING), message -> messages.add(message.toMessage()));
    }

    /** Each publisher publishes so many messages, and waits for none of them. */
    @SuppressWarnings("FutureReturnValueIgnored") // Both outcomes are kept.
    void publish(final int count) {
        for (int i = 0; i < count; i++) {
            for (int publisher = 0; publisher < publishers.size(); publisher++) {
                final String text = "{\"p\":" + publisher + ",\"n\":" + ++published[publisher] + "}";
                publishers
                        .get(publisher)
                        .publish(TOPIC, text, AckType.PERSISTED)
                        .whenComplete((ack, e) -> {
                            if (e == null) {
                                acknowledged.add(text);
                            } else {
                                failures.add(text + ": " + e);
                            }
                        });
            }
        }
    }

    /** One of them publishes a message that takes several commands. */
    @SuppressWarnings("FutureReturnValueIgnored") // Both outcomes are kept.
    void publishLong(final int publisher) {
        final String text = "{\"long\":\"" + "x".repeat(LONG) + "\"}";
        others++;
        publishers.get(publisher).publish(TOPIC, text, AckType.PERSISTED).whenComplete((ack, e) -> {
            if (e == null) {
                acknowledged.add(text);
            } else {
                failures.add("the long one: " + e);
            }
        });
    }

    /** Each publishes one more, unless some hundred are on their way. */
    void publishSome() {
        if (inFlightCount() < IN_FLIGHT_MAX) {
            publish(1);
        } else {
            Thread.onSpinWait();
        }
    }

    /** Messages that are not acknowledged yet. */
    int inFlightCount() {
        return publishedCount() - acknowledged.size();
    }

    private int publishedCount() {
        return others + Arrays.stream(published).sum();
    }

    int acknowledgedCount() {
        return acknowledged.size();
    }

    /** Waits until everything that was published is acknowledged. */
    void awaitAcknowledged() {
        final int all = publishedCount();
        Await.until("acknowledgements", () -> acknowledged.size() + failures.size() == all);
        assertThat(failures).isEmpty();
    }

    /** Waits until a reader has seen as many messages as were published. */
    void awaitSeen(final int node) {
        final int all = publishedCount();
        Await.until("messages at node " + node, () -> seenAt(node).size() >= all);
    }

    /** What a reader has seen until now. */
    List<String> seenAt(final int node) {
        final List<Message> messages = seen.getOrDefault(node, List.of());
        synchronized (messages) {
            return messages.stream()
                    .map(each -> each.shard() + "/" + each.sequence() + " " + each.text())
                    .toList();
        }
    }

    /** All nodes have the same, with the same sequences: each message once, in its publisher's order. */
    void check() {
        final List<String> first = seenAt(0);
        for (int node = 1; node < endpoints.size(); node++) {
            assertThat(seenAt(node)).as("log of node " + node).isEqualTo(first);
        }
        final List<String> texts = first.stream()
                .map(each -> each.substring(each.indexOf(' ') + 1))
                .toList();
        assertThat(new HashSet<>(texts))
                .as("messages, each once")
                .hasSameSizeAs(texts)
                .containsAll(acknowledged);
        for (int publisher = 0; publisher < published.length; publisher++) {
            final String prefix = "{\"p\":" + publisher + ",\"n\":";
            final List<Integer> numbers = texts.stream()
                    .filter(text -> text.startsWith(prefix))
                    .map(text -> Integer.valueOf(text.substring(prefix.length(), text.length() - 1)))
                    .collect(Collectors.toList());
            final List<Integer> ordered = new ArrayList<>(numbers);
            Collections.sort(ordered);
            assertThat(numbers).as("order of publisher " + publisher).isEqualTo(ordered);
        }
    }

    /** What was seen at one node earlier is what all have at the end, at the same places. */
    void checkKept(final List<String> seenEarlier) {
        assertThat(seenAt(0)).startsWith(seenEarlier.toArray(new String[0]));
    }

    @Override
    public void close() {
        CloseHelper.quietCloseAll(publishers);
        CloseHelper.quietCloseAll(readers.values());
    }
}
