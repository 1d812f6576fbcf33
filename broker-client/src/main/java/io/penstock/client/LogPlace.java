package io.penstock.client;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Where in the log a subscription begins or ends, or as of when state is asked for. Immutable.
 *
 * @param kind       which sort of place it is.
 * @param bookmark   of {@link Kind#BOOKMARK}; of {@link Kind#NOW} as an end, what it does not go beyond, or
 *                   {@link Bookmark#NONE}; else {@link Bookmark#NONE}.
 * @param isIncluded whether the bookmark's own messages belong to the range.
 * @param timeNs     of {@link Kind#TIME}, in nanoseconds since 1970 UTC; else 0.
 */
public record LogPlace(Kind kind, Bookmark bookmark, boolean isIncluded, long timeNs) {
    /** As a beginning: the first message there is. */
    public static final LogPlace BEGINNING = new LogPlace(Kind.BEGINNING, Bookmark.NONE, false, 0);

    /** As an end: there is none, it goes on with new messages. */
    public static final LogPlace NO_END = new LogPlace(Kind.NO_END, Bookmark.NONE, false, 0);

    /** After the newest message there is. */
    public static final LogPlace NOW = new LogPlace(Kind.NOW, Bookmark.NONE, false, 0);

    /** Sorts of places. */
    public enum Kind {
        /** The first message there is. */
        BEGINNING,
        /** There is no end. */
        NO_END,
        /** After the newest message. */
        NOW,
        /** A bookmark. */
        BOOKMARK,
        /** A time. */
        TIME
    }

    /**
     * After a bookmark; as an end: before it. A shard that the bookmark says nothing of begins with its first message, and
     * ends with what is there.
     *
     * @param bookmark a place, or the oldest of several.
     * @return a place that leaves the bookmark's own messages out.
     */
    public static LogPlace bookmark(final Bookmark bookmark) {
        return new LogPlace(Kind.BOOKMARK, bookmark, false, 0);
    }

    /**
     * With the message of a bookmark first; as an end: last.
     *
     * @param bookmark a place.
     * @return a place that takes the bookmark's own messages in.
     */
    public static LogPlace including(final Bookmark bookmark) {
        return new LogPlace(Kind.BOOKMARK, bookmark, true, 0);
    }

    /**
     * With the first message that the broker took at a time or later; as an end: before it.
     *
     * @param time UTC.
     * @return the place.
     */
    public static LogPlace time(final Instant time) {
        return new LogPlace(
                Kind.TIME,
                Bookmark.NONE,
                false,
                Math.addExact(TimeUnit.SECONDS.toNanos(time.getEpochSecond()), time.getNano()));
    }

    /** A bookmark or a time, for people. */
    String text() {
        return kind == Kind.TIME ? timeNs + " ns" : bookmark.toString();
    }
}
