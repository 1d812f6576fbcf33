package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.RawInbox.Delivery;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRate;
import io.penstock.client.ReplayRequest;
import io.penstock.protocol.codec.PaceAction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Subscriptions that are replaced while they are live, cursors in the window or over files, paused, rated or ranges: of
 * each topic comes what the old one is about up to some message, and what the new one is about from it on.
 */
@Timeout(300)
class ReplaceModelTest {
    private static final int STEPS = 150;
    private static final int READER_COUNT_MAX = 8;
    private static final long ID = 7;
    private static final String[] TOPICS = {"a", "b", "c", "d"};
    private static final int ALL = -1;

    @TempDir
    Path directory;

    private final List<List<String>> published = new ArrayList<>();
    private final List<Reader> readers = new ArrayList<>();
    private long commandId = 100;

    /** How many messages of each topic are known to be processed. */
    private int[] processed = new int[TOPICS.length];

    /** What a subscription is about from some message of each topic on. */
    private static final class Interest {
        private final long commandId;
        private final int topic;
        private final int kind;

        /** The first message of each topic that may be the first one. */
        private final int[] from;

        /** The last one that may be. */
        private final int[] till;

        /** Where its range ends; {@link Integer#MAX_VALUE} for nowhere. */
        private final int[] to;

        private Interest(
                final long commandId,
                final int topic,
                final int kind,
                final int[] from,
                final int[] till,
                final int[] to) {
            this.commandId = commandId;
            this.topic = topic;
            this.kind = kind;
            this.from = from;
            this.till = till;
            this.to = to;
        }

        @Override
        public String toString() {
            return name(topic) + " where " + filter() + " from " + Arrays.toString(from) + " or up to "
                    + Arrays.toString(till) + (to[0] < Integer.MAX_VALUE ? " to " + Arrays.toString(to) : "");
        }

        boolean isAbout(final int ofTopic, final int index, final List<String> texts) {
            return (topic == ALL || topic == ofTopic)
                    && index < to[ofTopic]
                    && (kind == ALL || texts.get(index).contains("\"k\":" + kind + ","));
        }

        String filter() {
            return kind == ALL ? "" : "k = " + kind;
        }
    }

    /** A client with one subscription, and what that has been about. */
    private static final class Reader {
        private final RawClient client;
        private final List<Interest> interests = new ArrayList<>();
        private final boolean isReplay;
        private final List<List<Integer>> came =
                List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        private int looked;

        /** The command whose latest effect is known. */
        private long bounded;

        private Reader(final RawClient client, final boolean isReplay) {
            this.client = client;
            this.isReplay = isReplay;
        }

        /** The messages of a topic that have come, by their index. */
        private List<Integer> delivered(final int topic) {
            for (; looked < client.deliveries.size(); looked++) {
                final Delivery delivery = client.deliveries.get(looked);
                final String text = delivery.text();
                came.get(List.of(TOPICS).indexOf(delivery.topic()))
                        .add(Integer.valueOf(text.substring(5, text.indexOf(','))));
            }
            return came.get(topic);
        }

        private boolean isAnswered(final Interest interest) {
            return client.acks.containsKey(interest.commandId) || isRefused(interest);
        }

        private boolean isRefused(final Interest interest) {
            return client.events.stream().anyMatch(event -> event.startsWith("error " + interest.commandId + " "));
        }
    }

    static Stream<Arguments> runs() {
        final long only = Long.getLong("penstock.seed", 0);
        final int count = only == 0 ? Integer.getInteger("penstock.seeds", 5) : 1;
        final List<Arguments> runs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final long seed = only == 0 ? 1 + i : only;
            for (final ThreadingMode threading : ThreadingMode.values()) {
                if (threading == ThreadingMode.INVOKER || seed % 5 == 1) {
                    runs.add(Arguments.of(seed, threading, true));
                    runs.add(Arguments.of(seed, threading, false));
                }
            }
        }
        return runs.stream();
    }

    @ParameterizedTest
    @MethodSource("runs")
    void shouldMissAndRepeatNothingWhenSubscriptionsAreReplaced(
            final long seed, final ThreadingMode threading, final boolean isJournaled) {
        final Random random = new Random(seed);
        for (int i = 0; i < TOPICS.length; i++) {
            published.add(new ArrayList<>());
        }
        try (TestBroker test = new TestBroker(builder -> configure(builder, threading, isJournaled))) {
            final RawClient publisher = test.logOn("publisher");
            for (int step = 0; step < STEPS; step++) {
                step(test, publisher, random);
            }
            flush(test, publisher);
            for (final Reader reader : readers) {
                reader.client.reading = true;
                answer(test, reader);
                send(test, () -> reader.client.pace(97, ID, PaceAction.RATE, ReplayRate.UNLIMITED));
                send(test, () -> reader.client.pace(98, ID, PaceAction.RESUME, ReplayRate.UNLIMITED));
            }
            final int rounds = threading == ThreadingMode.INVOKER ? 100 : 20_000;
            for (int i = 0; i < rounds && !readers.stream().allMatch(this::isAllDelivered); i++) {
                test.advance(1_000);
            }
            test.advance(1_000);
            for (int i = 0; i < readers.size(); i++) {
                check("seed " + seed + ", reader " + i + ", " + readers.get(i).interests, readers.get(i));
            }
            for (final Reader reader : readers) {
                reader.client.disconnect();
            }
            publisher.disconnect();
            test.await(() -> test.broker.counter("subscriptions") == 0
                    && test.broker.counter("cursors") == 0
                    && test.broker.counter("sessions") == 0);
        }
    }

    private BrokerConfig.Builder configure(
            final BrokerConfig.Builder builder, final ThreadingMode threading, final boolean isJournaled) {
        final BrokerConfig.Builder made = builder.threading(threading)
                .shardCount(3)
                .window(isJournaled ? new WindowConfig(64 * 1024, 3) : new WindowConfig(2 * 1024 * 1024, 4))
                .sessions(new SessionConfig(64, 64, 16 * 1024, 64, 64, 1024, 64, 1 << 24, 3_600_000, 3_600_000));
        return isJournaled
                ? made.journal(JournalConfig.in(directory.toString())
                        .withFileLength(64 * 1024)
                        .withReplayLengthMax(2 * 256 * 1024))
                : made;
    }

    private void step(final TestBroker test, final RawClient publisher, final Random random) {
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> publish(test, publisher, random);
            case 4 -> subscribe(test, publisher, random);
            case 5 -> test.advance(random.nextInt(100));
            default -> {
                if (!readers.isEmpty()) {
                    disturb(test, publisher, random, readers.get(random.nextInt(readers.size())));
                }
            }
        }
        for (int i = random.nextInt(5); i > 0; i--) {
            test.cycle();
        }
        readers.forEach(this::bound);
    }

    private void disturb(final TestBroker test, final RawClient publisher, final Random random, final Reader reader) {
        switch (random.nextInt(7)) {
            case 0, 1, 2 -> {
                if (random.nextInt(3) == 0) {
                    flush(test, publisher);
                }
                replace(random, reader);
            }
            case 3, 4 -> reader.client.reading = !reader.client.reading;
            default -> {
                final PaceAction action = PaceAction.get((short) random.nextInt(3));
                reader.client.pace(
                        50, ID, action, random.nextBoolean() ? ReplayRate.UNLIMITED : ReplayRate.messages(500));
            }
        }
    }

    private void publish(final TestBroker test, final RawClient publisher, final Random random) {
        for (int i = random.nextInt(150); i > 0; i--) {
            final int topic = random.nextInt(TOPICS.length);
            final int length = random.nextInt(50) == 0 ? 10_000 : random.nextInt(200);
            final String text = "{\"n\":" + published.get(topic).size() + ",\"k\":" + random.nextInt(3) + ",\"pad\":\""
                    + "x".repeat(length) + "\"}";
            send(test, () -> publisher.publish(0, 0, 0, TOPICS[topic], text.getBytes(UTF_8)));
            published.get(topic).add(text);
        }
    }

    private void subscribe(final TestBroker test, final RawClient publisher, final Random random) {
        if (readers.size() == READER_COUNT_MAX) {
            return;
        }
        flush(test, publisher);
        final boolean isReplay = random.nextInt(3) > 0;
        final Reader reader = new Reader(test.logOn("reader-" + readers.size()), isReplay);
        final int topic = random.nextInt(TOPICS.length + 1) - 1;
        final int kind = random.nextInt(4) - 1;
        final int[] now = counts();
        if (isReplay) {
            final boolean fromNow = random.nextBoolean();
            final boolean isRange = random.nextInt(4) == 0;
            final int[] from = fromNow ? now : new int[TOPICS.length];
            final int[] to = isRange ? now : endless();
            final Interest interest = new Interest(++commandId, topic, kind, from, from, to);
            ReplayRequest request = topic == ALL ? ReplayRequest.pattern("[a-d]") : ReplayRequest.topic(TOPICS[topic]);
            request = request.filter(interest.filter()).from(fromNow ? LogPlace.NOW : LogPlace.BEGINNING);
            request = isRange ? request.to(LogPlace.NOW) : request;
            request = random.nextBoolean() ? request.live() : request;
            request = random.nextInt(4) == 0 ? request.rate(ReplayRate.messages(500)) : request;
            final ReplayRequest asked = request;
            send(test, () -> reader.client.subscribeFrom(interest.commandId, ID, asked));
            reader.interests.add(interest);
        } else {
            final Interest interest = new Interest(++commandId, topic, kind, now, now, endless());
            send(
                    test,
                    () -> reader.client.subscribe(
                            interest.commandId, ID, name(topic), interest.filter(), topic == ALL));
            reader.interests.add(interest);
        }
        final Interest first = reader.interests.get(0);
        test.await(() -> reader.isAnswered(first));
        assertThat(reader.client.errorTexts).isEmpty();
        reader.bounded = first.commandId;
        readers.add(reader);
    }

    private void replace(final Random random, final Reader reader) {
        bound(reader);
        final Interest last = reader.interests.get(reader.interests.size() - 1);
        if (!reader.isAnswered(last)) {
            return;
        }
        final int topic = random.nextBoolean() ? last.topic : random.nextInt(TOPICS.length + 1) - 1;
        final Interest interest =
                new Interest(++commandId, topic, random.nextInt(4) - 1, processed, counts(), endless());
        if (reader.client.replace(commandId, ID, name(topic), interest.filter(), topic == ALL)) {
            reader.interests.add(interest);
        }
    }

    /** A replacement that is not answered may take its effect with any message up to the newest. */
    private void bound(final Reader reader) {
        final Interest last = reader.interests.get(reader.interests.size() - 1);
        if (reader.isRefused(last)) {
            reader.interests.remove(last);
            reader.bounded = reader.interests.get(reader.interests.size() - 1).commandId;
        } else if (last.commandId != reader.bounded) {
            System.arraycopy(counts(), 0, last.till, 0, TOPICS.length);
            reader.bounded = reader.client.acks.containsKey(last.commandId) ? last.commandId : 0;
        }
    }

    private void answer(final TestBroker test, final Reader reader) {
        test.await(() -> reader.isAnswered(reader.interests.get(reader.interests.size() - 1)));
        bound(reader);
    }

    private void flush(final TestBroker test, final RawClient publisher) {
        test.flush(publisher);
        processed = counts();
    }

    private static void send(final TestBroker test, final BooleanSupplier command) {
        while (!command.getAsBoolean()) {
            test.cycle();
        }
    }

    private static String name(final int topic) {
        return topic == ALL ? "[a-d]" : TOPICS[topic];
    }

    private int[] counts() {
        return published.stream().mapToInt(List::size).toArray();
    }

    private static int[] endless() {
        return new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE};
    }

    private boolean isAllDelivered(final Reader reader) {
        for (int topic = 0; topic < TOPICS.length; topic++) {
            if (!isWhole(reader, topic)) {
                return false;
            }
        }
        return true;
    }

    /** Whether there are messages with which the replacements have taken effect so that all is as it has to be. */
    private boolean isWhole(final Reader reader, final int topic) {
        final int count = published.get(topic).size();
        // By the first message of an interest: how many may have come before it.
        Map<Integer, Set<Integer>> places = Map.of(reader.interests.get(0).from[topic], Set.of(0));
        for (int i = 0; i < reader.interests.size(); i++) {
            final Interest next = i == reader.interests.size() - 1 ? null : reader.interests.get(i + 1);
            final int from = next == null ? count : next.from[topic];
            final int till = next == null ? count : next.till[topic];
            places = follow(reader.interests.get(i), topic, places, from, till, reader.delivered(topic));
        }
        return places.getOrDefault(count, Set.of())
                .contains(reader.delivered(topic).size());
    }

    private Map<Integer, Set<Integer>> follow(
            final Interest interest,
            final int topic,
            final Map<Integer, Set<Integer>> places,
            final int from,
            final int till,
            final List<Integer> came) {
        final Map<Integer, Set<Integer>> reached = new HashMap<>();
        Set<Integer> active = new HashSet<>();
        for (int index = 0; index <= till; index++) {
            active.addAll(places.getOrDefault(index, Set.of()));
            if (index >= from) {
                reached.put(index, Set.copyOf(active));
            }
            if (index < till && interest.isAbout(topic, index, published.get(topic))) {
                final int wanted = index;
                active = active.stream()
                        .filter(at -> at < came.size() && came.get(at) == wanted)
                        .map(at -> at + 1)
                        .collect(Collectors.toSet());
            }
        }
        return reached;
    }

    private void check(final String what, final Reader reader) {
        assertThat(reader.client.errorTexts)
                .as(what)
                .allMatch(text -> text.startsWith("pace: no such")
                        || text.startsWith("subscribe: no such subscription to replace")
                        || text.contains("was replaced 16 times"));
        for (int topic = 0; topic < TOPICS.length; topic++) {
            assertThat(isWhole(reader, topic))
                    .as(
                            "%s: topic %s of %d: %s",
                            what, TOPICS[topic], published.get(topic).size(), reader.delivered(topic))
                    .isTrue();
        }
        final long[] last = new long[3];
        for (final Delivery delivery : reader.client.deliveries) {
            assertThat(delivery.sequence())
                    .as("%s: in order: %s", what, delivery)
                    .isGreaterThan(last[delivery.shard()]);
            last[delivery.shard()] = delivery.sequence();
        }
        if (reader.isReplay) {
            final long first = reader.interests.get(0).commandId;
            assertThat(reader.client.events).as(what).contains("ack " + first + " COMPLETED");
        }
    }
}
