package io.penstock.standalone.demo;

import java.util.List;

/** Shows events while they happen. */
interface Display {
    /**
     * Shows the state of things. Called a few times a second.
     *
     * @param state as of now.
     */
    void show(State state);

    /** Leaves the last state on the screen. */
    void finish();

    /**
     * How far the demonstration is.
     *
     * @param elapsedS  seconds since it began to publish.
     * @param published messages of each feed so far, in the order of the feeds.
     * @param feeds     that are published.
     * @param rate      messages a second, lately.
     * @param arrivals  what came.
     * @param counters  of the subscriptions.
     * @param inquiries into the state.
     */
    record State(
            double elapsedS,
            List<Long> published,
            List<Feed> feeds,
            double rate,
            Arrivals arrivals,
            List<MatchCounter> counters,
            List<Inquiry> inquiries) {
        private static final int SECONDS_PER_INQUIRY = 3;

        /** Each in turn has the screen for a while. */
        Inquiry inquiry() {
            return inquiries.get((int) (elapsedS / SECONDS_PER_INQUIRY) % inquiries.size());
        }

        long answers() {
            return inquiries.stream().mapToLong(Inquiry::answers).sum();
        }

        long publishedInAll() {
            return published.stream().mapToLong(Long::longValue).sum();
        }

        String latency() {
            return String.format(
                    "latency p50 %,.0f us, p99 %,.0f us, p99.9 %,.0f us",
                    arrivals.latencyUs(50), arrivals.latencyUs(99), arrivals.latencyUs(99.9));
        }
    }
}
