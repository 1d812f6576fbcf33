package io.penstock.jmh.filter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.shard.match.FilterGroup;
import io.penstock.broker.shard.match.MatchedRecord;
import io.penstock.broker.shard.match.Matcher;
import io.penstock.broker.shard.match.TopicFields;
import io.penstock.format.MessageFormats;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages a second that one core matches with a count of live filters, found by the index and evaluated one after the other;
 * how long it takes to add and to remove one filter beside the others, and the bytes of one.
 *
 * <p>Arguments: counts of filters with commas between them, and kinds of filters, all unless given. A million of them need
 * some gigabytes of heap. Times are of the thread's processor time, since other programs may run beside it.
 */
public final class MatcherThroughput {
    private static final String COUNTS = "1,10,100,1000,10000,100000,1000000";
    private static final int MESSAGES = 4096;
    private static final long MEASURED_NS = 250_000_000L;
    private static final int PLAIN_MAX = 10_000;
    private static final int CHANGES = 2000;
    private static final long SEED = 42;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private MatcherThroughput() {}

    /** Runs it. */
    public static void main(final String... args) {
        final int[] counts = Arrays.stream((args.length == 0 ? COUNTS : args[0]).split(","))
                .mapToInt(Integer::parseInt)
                .toArray();
        final Kind[] kinds = args.length < 2
                ? Kind.values()
                : Arrays.stream(args).skip(1).map(Kind::valueOf).toArray(Kind[]::new);
        System.out.printf(
                "%-8s %9s %12s %12s %9s %9s %9s %8s%n",
                "kind", "filters", "indexed/s", "plain/s", "matches", "add us", "remove us", "bytes");
        for (final Kind kind : kinds) {
            for (final int count : counts) {
                new Run(kind, count).report();
            }
        }
    }

    /** What filters are about. */
    private enum Kind {
        EQUAL,
        RANGE,
        PREFIX,
        CONTAINS,
        MIXED,
        /** All have one test in common, which is true of each message. */
        SHARED,
        /** No test leads to them. */
        OPAQUE;

        String filter(final int i, final int count, final Random random) {
            return switch (this) {
                case EQUAL -> "v = " + i;
                case RANGE -> {
                    final int low = random.nextInt(count);
                    yield "v BETWEEN " + low + " AND " + (low + random.nextInt(10));
                }
                case PREFIX -> "name BEGINS WITH '" + name(i) + "'";
                case CONTAINS -> "text CONTAINS '" + name(i) + "'";
                case MIXED ->
                    "symbol = 'S" + random.nextInt(Math.max(1, count / 10)) + "' AND price > " + random.nextInt(1000)
                            + " AND side IN ('B', 'S') AND name LIKE 'N" + random.nextInt(10) + "%' AND qty < " + i;
                case OPAQUE -> "v + 1 = " + i;
                case SHARED -> "side = 'B' AND text CONTAINS '" + name(i) + "'";
            };
        }

        String message(final int count, final Random random) {
            final int i = random.nextInt(count);
            return "{\"v\":" + i + ",\"name\":\"" + name(i) + "x\",\"symbol\":\"S"
                    + random.nextInt(Math.max(1, count / 10)) + "\",\"price\":" + random.nextInt(1000) + ".25,\"qty\":"
                    + random.nextInt(1_000_000)
                    + ",\"side\":\"B\",\"text\":\"some words before " + name(i) + ", and after\"}";
        }

        private static String name(final int i) {
            return "N" + Long.toString(i * 7_919L + 1_000_000, 36);
        }
    }

    private static final class Run implements Matcher.Visitor<Subscriber> {
        private final Kind kind;
        private final int count;
        private final Random random = new Random(SEED);
        private final UnsafeBuffer[] messages = new UnsafeBuffer[MESSAGES];
        private long matchCount;

        Run(final Kind kind, final int count) {
            this.kind = kind;
            this.count = count;
            final Random ofMessages = new Random(SEED + 1);
            for (int i = 0; i < MESSAGES; i++) {
                messages[i] = new UnsafeBuffer(kind.message(count, ofMessages).getBytes(UTF_8));
            }
        }

        void report() {
            final long bytesBefore = usedBytes();
            final TopicFields fields = new TopicFields(MessageFormats.formatFor("json"));
            final Matcher<Subscriber> indexed = new Matcher<>(fields);
            fill(indexed);
            final double bytes = (double) (usedBytes() - bytesBefore) / count;
            final double rate = rate(indexed, fields);
            final double matches = matchCount;
            final double[] changeUs = changeUs(indexed);
            double plainRate = Double.NaN;
            if (count <= PLAIN_MAX) {
                final TopicFields ofPlain = new TopicFields(MessageFormats.formatFor("json"));
                final Matcher<Subscriber> plain = Matcher.withoutIndex(ofPlain);
                fill(plain);
                plainRate = rate(plain, ofPlain);
            }
            System.out.printf(
                    Locale.ROOT,
                    "%-8s %9d %12.0f %12.0f %9.3f %9.2f %9.2f %8.0f%n",
                    kind,
                    indexed.groupCount(),
                    rate,
                    plainRate,
                    matches / MESSAGES,
                    changeUs[0],
                    changeUs[1],
                    bytes);
        }

        private void fill(final Matcher<Subscriber> matcher) {
            random.setSeed(SEED);
            for (int i = 0; i < count; i++) {
                add(matcher, compiled(i));
            }
        }

        private Filter compiled(final int i) {
            return FilterCompiler.compile(kind.filter(i, count, random), FilterLimits.DEFAULTS);
        }

        private static Subscriber add(final Matcher<Subscriber> matcher, final Filter filter) {
            final FilterGroup<Subscriber> group = matcher.groupOf(filter.text(), filter);
            final Subscriber subscriber = new Subscriber(group);
            matcher.add(group, subscriber);
            return subscriber;
        }

        /** Messages a second. Afterwards the matches of one round are counted. */
        private double rate(final Matcher<Subscriber> matcher, final TopicFields fields) {
            final MatchedRecord record = fields.record(0);
            double best = 0;
            for (int i = 0; i < 3; i++) {
                final long startNs = THREADS.getCurrentThreadCpuTime();
                long timeNs = 0;
                long done = 0;
                while (timeNs < MEASURED_NS) {
                    for (int j = 0; j < 64; j++) {
                        match(matcher, record, messages[(int) (done++ % MESSAGES)]);
                    }
                    timeNs = THREADS.getCurrentThreadCpuTime() - startNs;
                }
                best = Math.max(best, done * 1e9 / timeNs);
            }
            matchCount = 0;
            for (int i = 0; i < MESSAGES && count <= 100_000; i++) {
                match(matcher, record, messages[i]);
            }
            return best;
        }

        private void match(final Matcher<Subscriber> matcher, final MatchedRecord record, final UnsafeBuffer message) {
            record.wrapContent(message, 0, message.capacity(), 0);
            matcher.match(record, this);
        }

        private double[] changeUs(final Matcher<Subscriber> matcher) {
            final double[] best = {Double.MAX_VALUE, Double.MAX_VALUE};
            for (int round = 0; round < 5; round++) {
                final Filter[] filters = new Filter[CHANGES];
                for (int i = 0; i < CHANGES; i++) {
                    filters[i] = compiled(count + i);
                }
                final Subscriber[] added = new Subscriber[CHANGES];
                final long startNs = THREADS.getCurrentThreadCpuTime();
                for (int i = 0; i < CHANGES; i++) {
                    added[i] = add(matcher, filters[i]);
                }
                final long addedNs = THREADS.getCurrentThreadCpuTime();
                for (final Subscriber each : added) {
                    matcher.remove(each.group, each);
                }
                final long removedNs = THREADS.getCurrentThreadCpuTime();
                best[0] = Math.min(best[0], (addedNs - startNs) / 1e3 / CHANGES);
                best[1] = Math.min(best[1], (removedNs - addedNs) / 1e3 / CHANGES);
            }
            return best;
        }

        private static long usedBytes() {
            for (int i = 0; i < 3; i++) {
                System.gc();
            }
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        }

        @Override
        public void onMatch(final FilterGroup<Subscriber> group) {
            matchCount += group.size();
        }
    }

    private static final class Subscriber implements Matcher.Member {
        private final FilterGroup<Subscriber> group;
        private int place;

        Subscriber(final FilterGroup<Subscriber> group) {
            this.group = group;
        }

        @Override
        public int place() {
            return place;
        }

        @Override
        public void place(final int value) {
            place = value;
        }

        @Override
        public boolean wants(final int recordIndex) {
            return true;
        }
    }
}
