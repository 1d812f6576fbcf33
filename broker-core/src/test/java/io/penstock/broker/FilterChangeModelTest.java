package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static io.penstock.broker.GuardedBroker.traders;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.StateClient.Delivery;
import io.penstock.broker.security.Permissions;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRate;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Generated changes of permissions between generated messages, for subscriptions that are live, behind, half sent, paused,
 * on credit, paced, read from files, or to patterns, against a model. Long form: {@code -Dpenstock.filterChangeSeeds=2000}.
 */
@Timeout(600)
class FilterChangeModelTest {
    private static final int SEEDS =
            Integer.getInteger("penstock.filterChangeSeeds", Boolean.getBoolean("penstock.second") ? 20 : 60);
    private static final int STEPS = 60;
    private static final List<String> TOPICS = List.of("a", "b");

    /** With what each is of a message. */
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
    private final List<Reader> readers = new ArrayList<>();

    private record Message(int number, String topic, String desk, int v, int padding) {
        @Override
        public String toString() {
            return "{\"n\":" + number + ",\"desk\":\"" + desk + "\",\"v\":" + v + ",\"pad\":\"" + "x".repeat(padding)
                    + "\"}";
        }
    }

    /** The condition that holds from then on, how many messages there were, and how many were handed over before. */
    private record Change(String condition, int publishedCount, int handedOver) {}

    /**
     * A subscription.
     *
     * @param change the first one that it was made after.
     * @param from   the first message that it may get.
     * @param isCut  whether it gets no more than the credit that it was made with.
     */
    private record Reader(long id, String topic, String filter, int change, int from, boolean isCut) {
        boolean isAbout(final Message message) {
            return topic.equals(".*") || topic.equals(message.topic);
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
    void shouldHoldFromOneSequenceOn(final int seed) {
        random = new Random(seed);
        final boolean isJournaled = random.nextBoolean();
        changes.add(new Change("", 0, 0));
        // Longer than a connection's unit, so that they may be half sent.
        lengthMax = random.nextInt(3) == 0 ? 100_000 : 9_000;
        final int segmentLength = lengthMax > 9_000 ? 512 * 1024 : 64 * 1024;
        test = GuardedBroker.start(permissions(""), builder -> {
            builder.window(new WindowConfig(segmentLength, 4)).sessions(TestBroker.sessions(1024, segmentLength / 4));
            return isJournaled
                    ? builder.journal(JournalConfig.in(directory.toString())
                            .withFileLength(segmentLength)
                            .withSnapshots(0, 0))
                    : builder;
        });
        root = new StateClient(test, "root");
        trader = new StateClient(test, "trader-E");
        try {
            for (int step = 0; step < STEPS; step++) {
                step(isJournaled);
            }
            trader.paused = false;
            for (final Reader reader : readers) {
                trader.offer(() -> trader.session.offerPause(reader.id, false));
                trader.offer(() -> trader.session.offerRate(reader.id, ReplayRate.UNLIMITED));
            }
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

    private void step(final boolean isJournaled) {
        switch (random.nextInt(12)) {
            case 0 -> subscribe(isJournaled);
            case 1 -> change();
            case 2 -> {
                change();
                publish(random.nextInt(3));
                change();
            }
            case 3 -> trader.paused = !trader.paused;
            case 4 -> pace();
            case 5 -> test.cycle();
            case 6 -> test.settle();
            case 7 -> test.advance(5);
            case 8 -> publish(random.nextInt(200));
            default -> publish(random.nextInt(8));
        }
    }

    private void publish(final int count) {
        for (int i = 0; i < count; i++) {
            final int padding = random.nextInt(40) == 0 ? lengthMax : random.nextInt(200);
            final Message message = new Message(
                    published.size(),
                    TOPICS.get(random.nextInt(2)),
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
        changes.add(new Change(condition, published.size(), handedOver()));
    }

    private int handedOver() {
        return (int) test.broker.counter("messagesDelivered");
    }

    private String pick() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private void subscribe(final boolean isJournaled) {
        if (readers.size() == 8) {
            return;
        }
        root.flush();
        final long id = readers.size() + 1L;
        final String filter = random.nextInt(3) == 0 ? pick() : "";
        final String topic = random.nextInt(4) == 0 ? ".*" : TOPICS.get(random.nextInt(2));
        final int from = published.size();
        final int change = changes.size() - 1;
        if (random.nextInt(3) > 0) {
            final SubscribeRequest request = (topic.equals(".*")
                            ? SubscribeRequest.pattern(topic)
                            : SubscribeRequest.topic(topic))
                    .filter(filter);
            final boolean isOnCredit = random.nextInt(4) == 0;
            subscribe(id, isOnCredit ? request.credit(1 + random.nextInt(50_000)) : request);
            readers.add(new Reader(id, topic, filter, change, from, isOnCredit));
        } else if (isJournaled) {
            ReplayRequest request = (topic.equals(".*") ? ReplayRequest.pattern(topic) : ReplayRequest.topic(topic))
                    .filter(filter)
                    .from(LogPlace.BEGINNING);
            request = random.nextInt(3) > 0 ? request.live() : request;
            request = random.nextInt(4) == 0 ? request.rate(ReplayRate.messages(1_000)) : request;
            final ReplayRequest asked = request;
            trader.offer(() -> trader.session.offerSubscribeFrom(id, asked));
            if (random.nextBoolean()) {
                test.settle();
            }
            readers.add(new Reader(id, topic, filter, change, 0, false));
        }
    }

    private void subscribe(final long id, final SubscribeRequest request) {
        final boolean wasPaused = trader.paused;
        trader.paused = false;
        trader.subscribe(id, request);
        trader.paused = wasPaused;
    }

    private void pace() {
        if (readers.isEmpty()) {
            return;
        }
        final long id = 1L + random.nextInt(readers.size());
        switch (random.nextInt(3)) {
            case 0 -> trader.offer(() -> trader.session.offerPause(id, true));
            case 1 -> trader.offer(() -> trader.session.offerPause(id, false));
            default -> trader.offer(() -> trader.session.offerRate(id, ReplayRate.messages(5_000)));
        }
    }

    private void check() {
        for (int i = 0; i < trader.deliveries.size(); i++) {
            final Message message = message(trader.deliveries.get(i));
            assertThat(CONDITIONS.get(conditionAt(i)))
                    .as("%s, handed over as number %d", trader.deliveries.get(i), i)
                    .matches(condition -> condition.test(message));
        }
        for (final Reader reader : readers) {
            final boolean hasEnded = reader.isCut
                    || trader.errors.stream()
                            .anyMatch(each -> each.subscriptionId() == reader.id && each.commandId() == 0);
            assertThat(trader.errors)
                    .filteredOn(each -> each.subscriptionId() == reader.id && each.commandId() == 0)
                    .allMatch(each -> each.errorCode() == ErrorCode.FELL_BEHIND);
            for (final String topic : TOPICS) {
                check(reader, topic, hasEnded);
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

    /** Whether there are sequences from which on each change held, so that exactly what was delivered is what it had to be. */
    private void check(final Reader reader, final String topic, final boolean hasEnded) {
        final List<Integer> delivered = trader.deliveries.stream()
                .filter(each -> each.id() == reader.id)
                .map(this::message)
                .filter(each -> each.topic.equals(topic))
                .map(Message::number)
                .toList();
        assertThat(delivered).as("%s", reader).isSorted().doesNotHaveDuplicates();
        final boolean[] isPossible = new boolean[changes.size()];
        isPossible[reader.change] = true;
        final int end =
                !hasEnded ? published.size() : delivered.isEmpty() ? 0 : delivered.get(delivered.size() - 1) + 1;
        for (int number = reader.from; number < end; number++) {
            advance(isPossible, number);
            final Message message = published.get(number);
            if (!message.topic.equals(topic)) {
                continue;
            }
            boolean isAny = false;
            for (int i = 0; i < isPossible.length; i++) {
                final boolean isDue = reader.isAbout(message)
                        && CONDITIONS.get(reader.filter).test(message)
                        && CONDITIONS.get(changes.get(i).condition).test(message);
                isPossible[i] &= isDue == delivered.contains(number);
                isAny |= isPossible[i];
            }
            assertThat(isAny)
                    .as(
                            "%s: message %d of %d, %s, after %s, errors %s",
                            reader, number, published.size(), delivered, changes, trader.errors)
                    .isTrue();
        }
    }

    /** A change may hold from each message on that was there before it, and holds for each that came after it. */
    private void advance(final boolean[] isPossible, final int number) {
        for (int i = 0; i + 1 < isPossible.length; i++) {
            isPossible[i + 1] |= isPossible[i];
            isPossible[i] &= number < changes.get(i + 1).publishedCount;
        }
    }

    private Message message(final Delivery delivery) {
        final String text = delivery.text();
        return published.get(Integer.parseInt(text.substring(5, text.indexOf(','))));
    }
}
