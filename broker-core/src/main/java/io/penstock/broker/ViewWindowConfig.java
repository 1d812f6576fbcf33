package io.penstock.broker;

import io.penstock.broker.topic.WindowRule;
import java.util.concurrent.TimeUnit;

/**
 * That a view is computed from the last messages of its source: a count of them, those of a time, or both.
 *
 * @param messageCount      the last messages of the source that pass the filter, in all; 0 for any number.
 * @param groupMessageCount the last messages of each group; 0 for any number. Not beside {@code messageCount}.
 * @param timeMs            how long a message counts after the broker took it, in milliseconds; 0 for ever.
 * @param lengthMax         bytes of memory for the messages; at the bound the oldest leave before their time.
 */
public record ViewWindowConfig(long messageCount, long groupMessageCount, long timeMs, long lengthMax) {
    public static final long LENGTH_MAX_DEFAULT = 64L << 20;
    public static final long LENGTH_MAX_MIN = 64L << 10;
    public static final long LENGTH_MAX_MAX = 64L << 30;

    /** No window: the view is computed from records. */
    public static final ViewWindowConfig NONE = new ViewWindowConfig(0, 0, 0, LENGTH_MAX_DEFAULT);

    private static final long COUNT_MAX = 1_000_000_000;

    /** Longest time: a hundred years. */
    private static final long TIME_MS_MAX = 100L * 366 * 24 * 3600 * 1000;

    public ViewWindowConfig {
        Limits.check("views.window.messageCount", messageCount, 0, COUNT_MAX);
        Limits.check("views.window.groupMessageCount", groupMessageCount, 0, COUNT_MAX);
        Limits.check("views.window.timeMs", timeMs, 0, TIME_MS_MAX);
        Limits.check("views.window.lengthMax", lengthMax, LENGTH_MAX_MIN, LENGTH_MAX_MAX);
        if (messageCount > 0 && groupMessageCount > 0) {
            throw new IllegalArgumentException("views.window.groupMessageCount: there is a messageCount, too: "
                    + messageCount + " (give one of them)");
        }
    }

    /**
     * The last messages of the source.
     *
     * @param count of messages.
     * @return a window.
     */
    public static ViewWindowConfig messages(final long count) {
        return new ViewWindowConfig(count, 0, 0, LENGTH_MAX_DEFAULT);
    }

    /**
     * The last messages of each group.
     *
     * @param count of messages.
     * @return a window.
     */
    public static ViewWindowConfig groupMessages(final long count) {
        return new ViewWindowConfig(0, count, 0, LENGTH_MAX_DEFAULT);
    }

    /**
     * The messages of the last time.
     *
     * @param timeMs in milliseconds.
     * @return a window.
     */
    public static ViewWindowConfig time(final long timeMs) {
        return new ViewWindowConfig(0, 0, timeMs, LENGTH_MAX_DEFAULT);
    }

    /**
     * The same with another bound of its memory.
     *
     * @param value in bytes.
     * @return a window.
     */
    public ViewWindowConfig withLengthMax(final long value) {
        return new ViewWindowConfig(messageCount, groupMessageCount, timeMs, value);
    }

    WindowRule rule() {
        return new WindowRule(messageCount, groupMessageCount, TimeUnit.MILLISECONDS.toNanos(timeMs), lengthMax);
    }
}
