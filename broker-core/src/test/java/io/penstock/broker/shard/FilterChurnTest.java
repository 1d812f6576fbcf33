package io.penstock.broker.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.json.JsonFormat;
import io.penstock.protocol.codec.DeliveryKind;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters come and go while messages are published: what each gets, and what one more of them costs. */
class FilterChurnTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 60);
    private static final int STEPS = 300;
    private static final int MANY = 10_000;

    /** As many as an index has. */
    private static final int SOME = 100;

    /** A table of references to all fields, doubled; far less than a table in which names are found. */
    private static final long BYTES_AT_ONCE_MAX = 512 * 1024;

    private static final FollowOptions OOF = new FollowOptions(true, false, false, null, 0, null);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void shouldDescribeWhatANaiveMatcherWouldWhenFiltersComeAndGo() {
        long matches = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            try (StateShard shard = new StateShard(2)) {
                final Churn churn = new Churn(shard, new SplittableRandom(seed));
                for (int step = 0; step < STEPS; step++) {
                    churn.step();
                }
                assertThat(shard.enqueued).as("seed " + seed).isEqualTo(churn.expected);
                matches += churn.expected.values().stream().mapToInt(i -> i).sum();
            }
        }
        assertThat(matches).isGreaterThan(SEEDS * 500L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTakeTheSameForOneFilterMoreWhenThereAreTenThousand(final boolean follows) {
        final FollowOptions options = follows ? OOF : null;
        try (StateShard few = new StateShard(1);
                StateShard many = new StateShard(1)) {
            fill(few, SOME, options);
            fill(many, MANY, options);
            // The bytes that a change takes stand for what it does: nothing is made anew for the others.
            final long fewBytes = change(few, options);
            final long manyBytes = change(many, options);
            System.out.println(
                    "bytes for a filter more and less: of " + SOME + " " + fewBytes + ", of 10,000 " + manyBytes);
            assertThat(manyBytes).isLessThan(fewBytes + fewBytes / 4);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldMoveFewOfTheOthersAtOnceWhenMoreAndMoreFiltersCome(final boolean follows) {
        final FollowOptions options = follows ? OOF : null;
        long most = 0;
        try (StateShard shard = new StateShard(1)) {
            for (int i = 1; i <= 2 * MANY; i++) {
                final long before = THREADS.getCurrentThreadAllocatedBytes();
                shard.follow(0, i, 1, options, "field" + i + " = 1");
                most = Math.max(most, THREADS.getCurrentThreadAllocatedBytes() - before);
            }
        }
        System.out.println("bytes for one filter more, of up to 20,000, at most " + most);
        assertThat(most).isLessThan(BYTES_AT_ONCE_MAX);
    }

    @Test
    void shouldRemoveSomeAtATimeWhenAClientWithManySubscriptionsLeaves() {
        try (StateShard shard = new StateShard(1)) {
            fill(shard, MANY, OOF);
            shard.follow(0, MANY + 1, 2, OOF, "price > 0");
            shard.sequencer.shard().commands().removeSession(1);
            int cycles = 0;
            while (shard.sequencer.isRetrying()) {
                assertThat(shard.cycle()).isBetween(1, 100);
                cycles++;
            }
            assertThat(cycles).isGreaterThan(100);
            shard.publish(0, 1, 0);
            shard.cycle();
            assertThat(shard.enqueued).hasSize(1);
        }
    }

    private static void fill(final StateShard shard, final int count, final @Nullable FollowOptions options) {
        for (int i = 1; i <= count; i++) {
            shard.follow(0, i, 1, options, "field" + i + " = 1 AND price > " + i);
        }
        shard.cycle();
    }

    /** Bytes that a subscription more takes, and its end, once everything has grown as far as it does. */
    private static long change(final StateShard shard, final @Nullable FollowOptions options) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 200; i++) {
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            shard.follow(0, 1_000_000 + i, 3, options, "another" + i % 10 + " = 1");
            shard.sequencer.shard().commands().unsubscribe(1_000_000 + i);
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    /** Random changes, and what a matcher without any sharing makes of them. */
    private static final class Churn {
        private static final String[] FIELDS = {"a", "b", "/c/d", "/e[1]", "price"};

        private final StateShard shard;
        private final SplittableRandom random;
        private final List<Naive> naives = new ArrayList<>();
        private final Map<Integer, UnsafeBuffer> records = new HashMap<>();
        private final Map<String, Integer> expected = new TreeMap<>();
        private long nextFeed = 1;

        Churn(final StateShard shard, final SplittableRandom random) {
            this.shard = shard;
            this.random = random;
        }

        void step() {
            final int choice = random.nextInt(10);
            if (choice < 2) {
                add();
            } else if (choice == 2 && !naives.isEmpty()) {
                final Naive gone = naives.remove(random.nextInt(naives.size()));
                shard.sequencer.shard().commands().unsubscribe(gone.feed);
            } else if (choice == 3 && random.nextInt(8) == 0) {
                final long session = random.nextInt(3);
                shard.sequencer.shard().commands().removeSession(session);
                while (shard.sequencer.isRetrying()) {
                    shard.cycle();
                }
                naives.removeIf(naive -> naive.session == session);
            } else {
                publish();
            }
            shard.cycle();
        }

        private void add() {
            final String field = random.nextInt(3) == 0 ? "own" + nextFeed : FIELDS[random.nextInt(FIELDS.length)];
            final String text = random.nextInt(6) == 0
                    ? ""
                    : field + " > " + random.nextInt(4) + (random.nextBoolean() ? "" : " OR b = 1");
            final boolean follows = random.nextBoolean();
            final Naive naive = new Naive(nextFeed++, random.nextInt(3), follows, text);
            naives.add(naive);
            shard.follow(0, naive.feed, naive.session, follows ? OOF : null, text);
        }

        private void publish() {
            final int key = random.nextInt(3);
            final UnsafeBuffer message = new UnsafeBuffer(("{\"a\":" + random.nextInt(6) + ",\"x\":{},\"b\":"
                            + random.nextInt(3) + ",\"c\":{\"d\":" + random.nextInt(6) + "},\"own"
                            + (1 + random.nextLong(nextFeed)) + "\":9,\"e\":[0," + random.nextInt(6) + "],\"price\":"
                            + random.nextInt(6) + "}")
                    .getBytes(UTF_8));
            final UnsafeBuffer before = records.put(key, message);
            for (final Naive naive : naives) {
                if (naive.matches(message)) {
                    naive.expect(naive.follows ? DeliveryKind.PUBLISH.value() : 0, expected);
                } else if (naive.follows && before != null && naive.matches(before)) {
                    naive.expect(DeliveryKind.OOF_MATCH.value(), expected);
                }
            }
            shard.publish(0, key, 0, message);
        }
    }

    /** One subscription with a filter and a reader of its own. */
    private static final class Naive {
        private final long feed;
        private final long session;
        private final boolean follows;
        private final @Nullable Filter filter;

        Naive(final long feed, final long session, final boolean follows, final String text) {
            this.feed = feed;
            this.session = session;
            this.follows = follows;
            filter = text.isEmpty() ? null : FilterCompiler.compile(text, new FieldSet(), FilterLimits.DEFAULTS);
        }

        boolean matches(final UnsafeBuffer message) {
            if (filter == null) {
                return true;
            }
            final FieldReader reader = new JsonFormat().newReader(filter.fields());
            reader.wrap(message, 0, message.capacity());
            return filter.matches(reader);
        }

        void expect(final int kind, final Map<String, Integer> expected) {
            expected.merge(feed + " " + kind, 1, Integer::sum);
        }
    }
}
