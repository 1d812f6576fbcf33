package io.penstock.jmh.filter;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.shard.match.FilterGroup;
import io.penstock.broker.shard.match.Matcher;
import io.penstock.broker.shard.match.TopicFields;
import io.penstock.format.MessageFormats;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Locale;

/**
 * How long it takes to add and to remove one filter of a matcher, while it fills, while others come and go beside it, and while
 * it empties: no table may grow as a whole. Filters are compiled before, as an I/O agent does it.
 *
 * <p>Arguments: count of filters, a million unless given, and of those that come and go, 200,000 unless given. Times are of the
 * thread's processor time, since other programs may run beside it; to ask for it takes some of that.
 */
public final class MatcherChurn {
    private static final int COUNT = 1_000_000;
    private static final int CHANGES = 200_000;
    private static final int WARM_UP = 20_000;
    private static final int BATCH = 1000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final TopicFields fields = new TopicFields(MessageFormats.formatFor("json"));
    private final Matcher<Place> matcher = new Matcher<>(fields);
    private final ArrayDeque<Place> places = new ArrayDeque<>();
    private Times adding = new Times();
    private Times removing = new Times();
    private int number;

    private MatcherChurn() {}

    /** Runs it. */
    public static void main(final String... args) {
        final int count = args.length > 0 ? Integer.parseInt(args[0]) : COUNT;
        final int changes = args.length > 1 ? Integer.parseInt(args[1]) : CHANGES;
        System.out.printf("%-12s %9s %9s %9s %9s %9s%n", "microseconds", "mean", "p50", "p99", "p99.99", "max");
        final MatcherChurn churn = new MatcherChurn();
        churn.add(WARM_UP);
        churn.report("warming up");
        churn.add(count - WARM_UP);
        churn.report("filling");
        for (int i = 0; i < changes; i += BATCH) {
            churn.add(BATCH);
            churn.remove(BATCH);
        }
        churn.report("beside");
        churn.remove(count);
        churn.report("emptying");
    }

    private void add(final int count) {
        final Filter[] filters = new Filter[BATCH];
        for (int i = 0; i < count; i += BATCH) {
            for (int j = 0; j < BATCH; j++) {
                filters[j] = FilterCompiler.compile(text(number++), FilterLimits.DEFAULTS);
            }
            for (final Filter filter : filters) {
                final long startNs = THREADS.getCurrentThreadCpuTime();
                final FilterGroup<Place> group = matcher.groupOf(filter.text(), filter);
                final Place place = new Place(group);
                matcher.add(group, place);
                adding.add(THREADS.getCurrentThreadCpuTime() - startNs);
                places.add(place);
            }
        }
    }

    private static String text(final int i) {
        return switch (i & 3) {
            case 0 -> "account = 'C" + i + "'";
            case 1 -> "v BETWEEN " + i + " AND " + (i + 10);
            case 2 -> "ref LIKE 'R" + Integer.toString(i, 36) + "%'";
            default -> "qty = " + i + " AND price > " + i % 1000 + " AND side IN ('B', 'S')";
        };
    }

    private void remove(final int count) {
        for (int i = 0; i < count; i++) {
            final Place place = places.remove();
            final long startNs = THREADS.getCurrentThreadCpuTime();
            matcher.remove(place.group, place);
            removing.add(THREADS.getCurrentThreadCpuTime() - startNs);
        }
    }

    private void report(final String what) {
        report(what + " +", adding);
        report(what + " -", removing);
        adding = new Times();
        removing = new Times();
    }

    private static void report(final String what, final Times times) {
        if (times.count > 0) {
            times.sort();
            System.out.printf(
                    Locale.ROOT,
                    "%-12s %9.2f %9.2f %9.2f %9.2f %9.2f%n",
                    what,
                    times.meanUs(),
                    times.us(0.5),
                    times.us(0.99),
                    times.us(0.9999),
                    times.us(1));
        }
    }

    /** Times in nanoseconds, each of them. */
    private static final class Times {
        private long[] ns = new long[1 << 16];
        private int count;

        void add(final long timeNs) {
            if (count == ns.length) {
                ns = Arrays.copyOf(ns, 2 * count);
            }
            ns[count++] = timeNs;
        }

        void sort() {
            Arrays.sort(ns, 0, count);
        }

        double meanUs() {
            return Arrays.stream(ns, 0, count).average().orElse(0) / 1e3;
        }

        /** The longest of a share of them. */
        double us(final double share) {
            return ns[(int) Math.min(count - 1, (long) (share * count))] / 1e3;
        }
    }

    private static final class Place implements Matcher.Member {
        private final FilterGroup<Place> group;
        private int place;

        Place(final FilterGroup<Place> group) {
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
