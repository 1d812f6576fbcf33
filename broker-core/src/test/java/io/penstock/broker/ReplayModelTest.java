package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.RawInbox.Delivery;
import io.penstock.client.Bookmark;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRate;
import io.penstock.client.ReplayRequest;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.protocol.codec.PaceAction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Brokers of three shards with files, windows and rings that are too small, slow clients with one subscription or several,
 * of equal and of disjoint filters, and restarts.
 */
@Timeout(120)
class ReplayModelTest {
    private static final int STEPS = 120;
    private static final int KINDS = 3;
    private static final String[] TOPICS = {"a", "b", "c", "d"};

    @TempDir
    Path directory;

    private final List<List<String>> published = new ArrayList<>();
    private final List<Reader> readers = new ArrayList<>();
    private long commandId = 100;

    /** Bookmarks of messages, by topic: index in the topic, shard, sequence. */
    private final List<List<long[]>> bookmarks = new ArrayList<>();

    /** A subscription and what it has to get. */
    private static final class Reader {
        private final RawClient client;
        private final long id;
        private final int topic;
        private final int from;

        /** Of the messages that it is about; negative for all of them. */
        private final int kind;

        private final int to;
        private final boolean isOnCredit;
        private long credit;
        private boolean isOver;

        private Reader(
                final RawClient client,
                final long id,
                final int topic,
                final int from,
                final int kind,
                final int to,
                final boolean isOnCredit) {
            this.client = client;
            this.id = id;
            this.topic = topic;
            this.from = from;
            this.kind = kind;
            this.to = to;
            this.isOnCredit = isOnCredit;
        }

        private List<Delivery> deliveries() {
            return client.deliveries.stream()
                    .filter(each -> each.subscriptionId() == id)
                    .toList();
        }

        private boolean give(final long length) {
            if (!client.credit(50, id, length)) {
                return false;
            }
            credit += length;
            return true;
        }

        /** The last message may take more than there was left. */
        private void checkCredit(final long seed) {
            long length = 0;
            for (final Delivery each : deliveries()) {
                if (isOnCredit) {
                    assertThat(length).as("seed %d", seed).isLessThan(credit);
                }
                length += RecordDescriptor.alignedLength(
                        RecordDescriptor.HEADER_LENGTH + each.text().length());
            }
        }

        private List<String> expected(final List<String> texts) {
            return texts.subList(from, Math.min(to, texts.size())).stream()
                    .filter(text -> kind < 0 || text.contains("\"k\":" + kind + ","))
                    .toList();
        }
    }

    static List<Long> seeds() {
        final long first = Long.getLong("penstock.seed", 0);
        final int count =
                first == 0 ? Integer.getInteger("penstock.seeds", Boolean.getBoolean("penstock.second") ? 2 : 5) : 1;
        final List<Long> seeds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            seeds.add(first == 0 ? 1L + i : first);
        }
        return seeds;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldDeliverToEachSubscriptionWhatTheModelSays(final long seed) {
        final Random random = new Random(seed);
        for (int i = 0; i < TOPICS.length; i++) {
            published.add(new ArrayList<>());
            bookmarks.add(new ArrayList<>());
        }
        for (int run = 0; run < 3; run++) {
            readers.clear();
            try (TestBroker test = new TestBroker(builder -> builder.shardCount(3)
                    .window(new WindowConfig(64 * 1024, 3))
                    .sessions(new SessionConfig(64, 64, 16 * 1024, 64, 64, 1024, 64, 1 << 24, 600_000, 500))
                    .journal(JournalConfig.in(directory.toString())
                            .withFileLength(64 * 1024)
                            .withReplayLengthMax(2 * 256 * 1024)))) {
                final RawClient publisher = test.logOn("publisher");
                for (int step = 0; step < STEPS; step++) {
                    step(test, publisher, random);
                }
                for (final Reader reader : readers) {
                    reader.client.reading = true;
                    while (!reader.client.pace(99, reader.id, PaceAction.RESUME, ReplayRate.UNLIMITED)) {
                        test.cycle();
                    }
                    reader.checkCredit(seed);
                    while (reader.isOnCredit && !reader.give(1L << 40)) {
                        test.cycle();
                    }
                }
                for (int i = 0; i < 3_000 && !isAllDelivered(); i++) {
                    test.advance(20);
                }
                test.advance(1_000);
                check(seed);
            }
        }
    }

    private void step(final TestBroker test, final RawClient publisher, final Random random) {
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> publish(test, publisher, random);
            case 4 -> {
                if (readers.size() < 16) {
                    subscribe(test, publisher, random);
                }
            }
            case 5 -> toggle(random);
            case 6 -> pace(random);
            case 7 -> giveCredit(random);
            case 8 -> unsubscribe(test, random);
            default -> test.advance(random.nextInt(100));
        }
        for (int i = random.nextInt(5); i > 0; i--) {
            test.cycle();
        }
    }

    private void publish(final TestBroker test, final RawClient publisher, final Random random) {
        for (int i = random.nextInt(150); i > 0; i--) {
            final int topic = random.nextInt(TOPICS.length);
            final int length = random.nextInt(50) == 0 ? 10_000 : random.nextInt(200);
            final String text = "{\"n\":" + published.get(topic).size() + ",\"k\":" + random.nextInt(KINDS)
                    + ",\"pad\":\"" + "x".repeat(length) + "\"}";
            while (!publisher.publish(0, 0, 0, TOPICS[topic], text.getBytes(UTF_8))) {
                test.cycle();
            }
            published.get(topic).add(text);
        }
    }

    private void subscribe(final TestBroker test, final RawClient publisher, final Random random) {
        test.flush(publisher);
        final int topic = random.nextInt(TOPICS.length);
        final int count = published.get(topic).size();
        final List<long[]> known = bookmarks.get(topic);
        ReplayRequest request = ReplayRequest.topic(TOPICS[topic]);
        int from = 0;
        switch (random.nextInt(3)) {
            case 0 -> {
                request = request.from(LogPlace.NOW);
                from = count;
            }
            case 1 -> {
                if (!known.isEmpty()) {
                    final long[] place = known.get(random.nextInt(known.size()));
                    request = request.from(LogPlace.bookmark(Bookmark.of((int) place[1], place[2])));
                    from = (int) place[0] + 1;
                }
            }
            default -> {}
        }
        final int kind = random.nextInt(4) == 0 ? -1 : random.nextInt(KINDS);
        final boolean isRange = random.nextInt(4) == 0;
        request = kind < 0 ? request : request.filter("k = " + kind);
        request = isRange ? request.to(LogPlace.NOW) : request;
        request = random.nextBoolean() ? request.live() : request;
        request = random.nextInt(6) == 0 ? request.rate(ReplayRate.messages(2_000)) : request;
        final boolean isOnCredit = random.nextInt(3) == 0;
        request = isOnCredit ? request.credit(1) : request;
        final boolean isBeside = !readers.isEmpty() && random.nextInt(3) > 0;
        final RawClient client =
                isBeside ? readers.get(random.nextInt(readers.size())).client : test.logOn("reader-" + readers.size());
        client.reading = true;
        final long command = ++commandId;
        while (!client.subscribeFrom(command, command, request)) {
            test.cycle();
        }
        test.await(() -> client.acks.containsKey(command));
        readers.add(new Reader(client, command, topic, from, kind, isRange ? count : Integer.MAX_VALUE, isOnCredit));
    }

    /** What has come by then is right; nothing comes after. */
    private void unsubscribe(final TestBroker test, final Random random) {
        if (readers.size() > 4) {
            final Reader reader = readers.get(random.nextInt(readers.size()));
            reader.client.reading = true;
            final long command = ++commandId;
            while (!reader.client.unsubscribe(command, reader.id)) {
                test.cycle();
            }
            test.await(() -> reader.client.acks.containsKey(command) || !reader.client.errors.isEmpty());
            reader.isOver = true;
        }
    }

    private void giveCredit(final Random random) {
        readers.stream().filter(reader -> reader.isOnCredit).forEach(reader -> {
            if (random.nextBoolean()) {
                reader.give(1 + random.nextInt(random.nextBoolean() ? 100 : 50_000));
            }
        });
    }

    private void toggle(final Random random) {
        if (!readers.isEmpty()) {
            final Reader reader = readers.get(random.nextInt(readers.size()));
            reader.client.reading = !reader.client.reading;
        }
    }

    private void pace(final Random random) {
        if (!readers.isEmpty()) {
            final Reader reader = readers.get(random.nextInt(readers.size()));
            if (reader.to == Integer.MAX_VALUE) {
                final PaceAction action = PaceAction.get((short) random.nextInt(3));
                reader.client.pace(
                        50,
                        reader.id,
                        action,
                        random.nextBoolean() ? ReplayRate.UNLIMITED : ReplayRate.messages(5_000));
            }
        }
    }

    private boolean isAllDelivered() {
        return readers.stream()
                .allMatch(reader -> reader.isOver
                        || reader.deliveries().size()
                                >= reader.expected(published.get(reader.topic)).size());
    }

    private void check(final long seed) {
        for (int i = 0; i < readers.size(); i++) {
            final Reader reader = readers.get(i);
            assertThat(reader.client.errorTexts.stream().filter(text -> !text.contains(": no such")))
                    .as("seed %d, reader %d", seed, i)
                    .isEmpty();
            final List<String> expected = reader.expected(published.get(reader.topic));
            final List<Delivery> came = reader.deliveries();
            for (int at = 0; at < Math.min(expected.size(), came.size()); at++) {
                assertThat(came.get(at).text())
                        .as("seed %d, reader %d, message %d", seed, i, at)
                        .isEqualTo(expected.get(at));
            }
            if (reader.isOver) {
                assertThat(came).as("seed %d, reader %d", seed, i).hasSizeLessThanOrEqualTo(expected.size());
            } else {
                assertThat(came).as("seed %d, reader %d", seed, i).hasSameSizeAs(expected);
            }
            for (final Delivery delivery : came) {
                final String text = delivery.text();
                final long index = Long.parseLong(text.substring(5, text.indexOf(',')));
                bookmarks.get(reader.topic).add(new long[] {index, delivery.shard(), delivery.sequence()});
            }
        }
    }
}
