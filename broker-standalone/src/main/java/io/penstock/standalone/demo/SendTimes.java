package io.penstock.standalone.demo;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/** When each message of the first, paced pass was due. Written by the publisher before it publishes, read by any. */
final class SendTimes {
    private final List<AtomicLongArray> dueNsByFeed;

    SendTimes(final List<Feed> feeds) {
        dueNsByFeed =
                feeds.stream().map(feed -> new AtomicLongArray(feed.count())).toList();
    }

    void dueNs(final int feedIndex, final int index, final long dueNs) {
        dueNsByFeed.get(feedIndex).set(index, dueNs);
    }

    long dueNs(final int feedIndex, final int index) {
        return dueNsByFeed.get(feedIndex).get(index);
    }

    boolean isTimed(final long number, final Feed feed) {
        return number < feed.count();
    }
}
