package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static io.penstock.broker.GuardedBroker.traders;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.StateClient.Delivery;
import io.penstock.broker.security.Permissions;
import io.penstock.client.SubscribeRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Generated changes of permissions between generated replacements of subscriptions, of clients that take what is sent to them and
 * of others: each message comes once, by the subscription that there was when it was published, and by one moment of each
 * change. Long form: {@code -Dpenstock.replacedChangeSeeds=2000}.
 */
@Timeout(600)
class ReplacedChangeModelTest {
    private static final int SEEDS =
            Integer.getInteger("penstock.replacedChangeSeeds", Boolean.getBoolean("penstock.second") ? 20 : 60);
    private static final int STEPS = 80;
    private static final int REPLACE_COUNT_MAX = 12;
    private static final List<String> TOPICS = List.of("a", "b", "c");

    private static final Map<String, Predicate<Message>> CONDITIONS = Map.of(
            "", each -> true,
            "desk = 'E'", each -> each.desk.equals("E"),
            "desk = 'W'", each -> each.desk.equals("W"),
            "v > 2", each -> each.v > 2,
            "desk = 'E' OR v = 1", each -> each.desk.equals("E") || each.v == 1,
            "FALSE", each -> false);

    private static final List<String> NAMES =
            CONDITIONS.keySet().stream().sorted().toList();

    @TempDir
    Path directory;

    private Random random = new Random();
    private int lengthMax;
    private TestBroker test;
    private StateClient root;
    private StateClient trader;
    private final List<Message> published = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();
    private final Map<Long, Reader> readers = new HashMap<>();

    private record Message(int number, String topic, String desk, int v, int padding) {
        @Override
        public String toString() {
            return "{\"n\":" + number + ",\"desk\":\"" + desk + "\",\"v\":" + v + ",\"pad\":\"" + "x".repeat(padding)
                    + "\"}";
        }
    }

    /** The condition that holds from then on, how many messages there were, and how many were handed over before. */
    private record Change(String condition, int publishedCount, int handedOver) {}

    /** What a subscription is about from a message on. */
    private record Interest(String topics, String filter, int from) {
        boolean wants(final Message message) {
            return message.topic.matches(topics) && CONDITIONS.get(filter).test(message);
        }
    }

    /** A subscription, and what it is about in turn. */
    private record Reader(long id, int change, List<Interest> interests) {
        Interest at(final int number) {
            Interest last = interests.get(0);
            for (final Interest each : interests) {
                last = each.from <= number ? each : last;
            }
            return last;
        }
    }

    static List<Integer> seeds() {
        final List<Integer> seeds = new ArrayList<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldHoldFromOneSequenceOnForAllThatAreNotSentYet(final int seed) {
        random = new Random(seed);
        final boolean isJournaled = random.nextInt(3) == 0;
        lengthMax = random.nextInt(3) == 0 ? 100_000 : 9_000;
        changes.add(new Change("", 0, 0));
        test = GuardedBroker.start(permissions(""), builder -> {
            builder.window(new WindowConfig(isJournaled ? 512 * 1024 : 8 * 1024 * 1024, 4))
                    .shardCount(1 + seed % 3)
                    .sessions(TestBroker.sessions(512, 128 * 1024));
            return isJournaled
                    ? builder.journal(JournalConfig.in(directory.toString())
                            .withFileLength(512 * 1024)
                            .withSnapshots(0, 0))
                    : builder;
        });
        root = new StateClient(test, "root");
        trader = new StateClient(test, "trader-E");
        try {
            for (int step = 0; step < STEPS; step++) {
                step();
            }
            trader.paused = false;
            test.settle();
            test.advance(20);
            test.settle();
            check();
        } finally {
            test.close();
        }
    }

    private static Permissions permissions(final String condition) {
        return traders(allow("list create stat", "*", ""), allow("read", "*", condition));
    }

    private void step() {
        switch (random.nextInt(12)) {
            case 0 -> subscribe();
            case 1, 2, 3 -> replace();
            case 4 -> change();
            case 5 -> {
                change();
                publish(random.nextInt(3));
                change();
            }
            case 6 -> trader.paused = random.nextInt(4) > 0;
            case 7 -> test.cycle();
            case 8 -> test.settle();
            case 9 -> publish(random.nextInt(300));
            default -> publish(random.nextInt(8));
        }
    }

    private void publish(final int count) {
        for (int i = 0; i < count; i++) {
            final int padding = random.nextInt(60) == 0 ? lengthMax : random.nextInt(200);
            final Message message = new Message(
                    published.size(),
                    TOPICS.get(random.nextInt(TOPICS.size())),
                    random.nextBoolean() ? "E" : "W",
                    random.nextInt(4),
                    padding);
            published.add(message);
            root.publish(message.topic, message.toString());
        }
    }

    private void change() {
        final String condition = pick();
        test.broker.permissions(permissions(condition));
        test.broker.invoke();
        assertThat(test.broker.arePermissionsApplied()).isTrue();
        changes.add(new Change(condition, published.size(), (int) test.broker.counter("messagesDelivered")));
    }

    private String pick() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private void subscribe() {
        if (readers.size() == 3) {
            return;
        }
        root.flush();
        trader.paused = false;
        final long id = readers.size() + 1L;
        final Interest interest = interest();
        trader.subscribe(id, request(interest));
        readers.put(id, new Reader(id, changes.size() - 1, new ArrayList<>(List.of(interest))));
    }

    private void replace() {
        if (readers.isEmpty()) {
            return;
        }
        final Reader reader = readers.get(1L + random.nextInt(readers.size()));
        if (reader.interests.size() > REPLACE_COUNT_MAX) {
            return;
        }
        root.flush();
        final Interest interest = interest();
        trader.offer(() -> trader.session.offerReplace(reader.id, request(interest)));
        reader.interests.add(interest);
        for (int i = random.nextInt(4); i > 0; i--) {
            if (random.nextBoolean()) {
                test.cycle();
            } else {
                change();
            }
        }
        // From here on all messages are for it: no more are published before its shards have answered.
        test.settle();
    }

    private Interest interest() {
        final String topics = random.nextInt(3) == 0 ? "[ab]" : TOPICS.get(random.nextInt(TOPICS.size()));
        return new Interest(topics, random.nextInt(3) == 0 ? pick() : "", published.size());
    }

    private static SubscribeRequest request(final Interest interest) {
        return (interest.topics.length() > 1
                        ? SubscribeRequest.pattern(interest.topics)
                        : SubscribeRequest.topic(interest.topics))
                .filter(interest.filter);
    }

    private void check() {
        assertThat(trader.errors).isEmpty();
        for (int i = 0; i < trader.deliveries.size(); i++) {
            final Message message = message(trader.deliveries.get(i));
            // The rest of a message that was half sent is sent.
            if (message.padding < 100_000) {
                assertThat(CONDITIONS.get(conditionAt(i)).test(message))
                        .as("%s, handed over as number %d, %s", message.number, i, changes)
                        .isTrue();
            }
        }
        for (final Reader reader : readers.values()) {
            for (final String topic : TOPICS) {
                check(reader, topic);
            }
        }
    }

    private void check(final Reader reader, final String topic) {
        final List<Integer> delivered = trader.deliveries.stream()
                .filter(each -> each.id() == reader.id)
                .map(this::message)
                .filter(each -> each.topic.equals(topic))
                .map(Message::number)
                .toList();
        assertThat(delivered).as("%s", reader).isSorted().doesNotHaveDuplicates();
        final boolean[] isPossible = new boolean[changes.size()];
        isPossible[reader.change] = true;
        for (int number = reader.interests.get(0).from; number < published.size(); number++) {
            for (int i = 0; i + 1 < isPossible.length; i++) {
                isPossible[i + 1] |= isPossible[i];
                isPossible[i] &= number < changes.get(i + 1).publishedCount;
            }
            final Message message = published.get(number);
            if (message.topic.equals(topic)) {
                boolean isAny = false;
                for (int i = 0; i < isPossible.length; i++) {
                    final boolean isDue = reader.at(number).wants(message)
                            && CONDITIONS.get(changes.get(i).condition).test(message);
                    isPossible[i] &= isDue == delivered.contains(number);
                    isAny |= isPossible[i];
                }
                assertThat(isAny)
                        .as(
                                "%s: %s, message %d of %d, %s, after %s",
                                reader, topic, number, published.size(), delivered, changes)
                        .isTrue();
            }
        }
    }

    /** The condition that held when a message was handed over. */
    private String conditionAt(final int index) {
        String condition = "";
        for (final Change change : changes) {
            if (change.handedOver <= index) {
                condition = change.condition;
            }
        }
        return condition;
    }

    private Message message(final Delivery delivery) {
        final String text = delivery.text();
        return published.get(Integer.parseInt(text.substring(5, text.indexOf(','))));
    }
}
