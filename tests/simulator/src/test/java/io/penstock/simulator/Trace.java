package io.penstock.simulator;

/** What has happened in a run: a hash over all of it, and the last of it in words. */
final class Trace {
    private static final int LENGTH = 128;

    private final String[] what = new String[LENGTH];
    private final long[] first = new long[LENGTH];
    private final long[] second = new long[LENGTH];
    private long count;
    private long hash;

    /** Something happened. Its numbers mean what the words say. */
    void add(final String event, final long a, final long b) {
        final int at = (int) (count++ % LENGTH);
        what[at] = event;
        first[at] = a;
        second[at] = b;
        mix(event.hashCode());
        mix(a);
        mix(b);
    }

    /** Something that is not worth words. */
    void mix(final long value) {
        hash = (hash ^ value) * 0x9E3779B97F4A7C15L;
        hash ^= hash >>> 29;
    }

    long hash() {
        return hash;
    }

    /** The last events, one a line. */
    String last() {
        final StringBuilder text = new StringBuilder();
        for (long i = Math.max(0, count - LENGTH); i < count; i++) {
            final int at = (int) (i % LENGTH);
            text.append("  ")
                    .append(i)
                    .append("  ")
                    .append(what[at])
                    .append(' ')
                    .append(first[at])
                    .append(' ')
                    .append(second[at])
                    .append('\n');
        }
        return text.toString();
    }
}
