package io.penstock.standalone.demo;

import io.penstock.client.MessageHandler;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockException;
import io.penstock.client.Subscription;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Checks that every message comes once, in its topic's order, with the bytes that were published, and measures how long
 * each took since it was due to be sent. Written on the client's thread, read by any.
 */
final class Arrivals implements MessageHandler {
    private static final long LATENCY_NS_MAX = 60_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;

    private final List<Feed> feeds;
    private final SendTimes sendTimes;
    private final long[] countByFeed;
    private final AtomicLong count = new AtomicLong();
    private final AtomicReference<@Nullable String> mistake = new AtomicReference<>();
    private final Histogram latencyNs = new ConcurrentHistogram(LATENCY_NS_MAX, SIGNIFICANT_DIGITS);

    Arrivals(final List<Feed> feeds, final SendTimes sendTimes) {
        this.feeds = feeds;
        this.sendTimes = sendTimes;
        countByFeed = new long[feeds.size()];
    }

    @Override
    public void onMessage(final MessageView message) {
        final long nowNs = System.nanoTime();
        final int feedIndex = feedIndex(message.topic());
        final Feed feed = feeds.get(feedIndex);
        final long number = countByFeed[feedIndex]++;
        final int index = (int) (number % feed.count());
        if (!feed.isEqual(index, message.buffer(), message.offset(), message.length())) {
            mistake.compareAndSet(
                    null,
                    "message " + (number + 1) + " of " + feed.topic() + " is not line " + (index + 1) + " of its file: "
                            + message.text());
        }
        if (sendTimes.isTimed(number, feed)) {
            latencyNs.recordValue(Math.min(LATENCY_NS_MAX, Math.max(0, nowNs - sendTimes.dueNs(feedIndex, index))));
        }
        count.incrementAndGet();
    }

    @Override
    public void onEnd(final Subscription subscription, final PenstockException reason) {
        mistake.compareAndSet(null, reason.getMessage());
    }

    private int feedIndex(final String topic) {
        for (int i = 0; i < feeds.size(); i++) {
            if (feeds.get(i).topic().equals(topic)) {
                return i;
            }
        }
        throw new IllegalStateException("demo: a message of a topic that was not published: " + topic);
    }

    long count() {
        return count.get();
    }

    /** The first thing that was wrong, or null. */
    @Nullable
    String mistake() {
        return mistake.get();
    }

    /** Microseconds below which this part of the messages arrived. */
    double latencyUs(final double percentile) {
        return latencyNs.getValueAtPercentile(percentile) / 1e3;
    }
}
