package io.penstock.spring.listener;

import io.penstock.client.Bookmark;
import io.penstock.client.LogPlace;
import io.penstock.client.PenstockException;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SubscribeRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a container subscribes to. Immutable; made by {@link #topic} or {@link #pattern}, and refused when its parts do not
 * go together.
 *
 * @param topic        a name, or a regular expression that is matched against whole names.
 * @param isPattern    whether the topic is a regular expression.
 * @param filter       a condition on the fields of messages; empty = all.
 * @param select       the fields that are sent; empty = all.
 * @param isSow        whether the state comes first.
 * @param isOof        whether records that are out of focus come, too.
 * @param isDelta      whether changes come with the changed fields alone.
 * @param conflationMs interval in which a record comes at most once, in milliseconds; 0 = each change.
 * @param durable      the name under which is noted what was processed; empty = none.
 * @param from         where in the log it begins; for a durable one, when its name is new; empty = with new messages.
 *                     In the place of a subscription that has ended, one without a name goes on after what has come.
 * @param to           where in the log it ends; empty = nowhere.
 * @param credit       most bytes of messages that the container holds, unless it is those of a single message; a
 *                     subscription that takes the place of another one may bring one more.
 */
public record ListenerSubscription(
        String topic,
        boolean isPattern,
        String filter,
        String select,
        boolean isSow,
        boolean isOof,
        boolean isDelta,
        int conflationMs,
        String durable,
        String from,
        String to,
        long credit) {
    /** Most bytes of messages that a container holds unless it is given. */
    public static final long CREDIT_DEFAULT = 128 * 1024;

    /** The word for the first message there is, as {@code from}. */
    public static final String BEGINNING = "beginning";

    /** The word for after the newest message there is, as {@code from} or {@code to}. */
    public static final String NOW = "now";

    public ListenerSubscription {
        if (topic.isEmpty()) {
            throw new ListenerAttributeException("topic", "is empty", "name one, or use a pattern such as '.*'");
        }
        if (conflationMs < 0) {
            throw new ListenerAttributeException(
                    "conflation", "is negative: " + conflationMs, "give milliseconds, or 0 for each change");
        }
        if (credit < 1) {
            throw new ListenerAttributeException("credit", "is too small: " + credit, "give bytes, 1 or more");
        }
        final List<String> ofState = stateAttributes(select, isSow, isOof, isDelta, conflationMs);
        final List<String> ofLog = logAttributes(durable, from, to);
        if (!ofState.isEmpty() && !ofLog.isEmpty()) {
            throw new ListenerAttributeException(
                    ofLog.get(0),
                    "does not go with " + ofState.get(0),
                    "follow the state, with " + String.join(", ", ofState) + ", or read the log, with "
                            + String.join(", ", ofLog));
        }
        if (isPattern && !ofState.isEmpty() && !ofState.equals(List.of("sow"))) {
            throw new ListenerAttributeException(
                    "pattern", "does not go with " + String.join(", ", ofState), "name one topic");
        }
        place("from", from);
        place("to", to);
    }

    /**
     * All new messages of one topic.
     *
     * @param topic its name.
     * @return a builder with nothing more.
     */
    public static Builder topic(final String topic) {
        return new Builder(topic, false);
    }

    /**
     * All new messages of topics whose whole names match.
     *
     * @param pattern a regular expression of RE2's syntax.
     * @return a builder with nothing more.
     */
    public static Builder pattern(final String pattern) {
        return new Builder(pattern, true);
    }

    private static List<String> stateAttributes(
            final String select,
            final boolean isSow,
            final boolean isOof,
            final boolean isDelta,
            final int conflationMs) {
        final List<String> names = new ArrayList<>();
        add(names, isSow, "sow");
        add(names, isOof, "oof");
        add(names, isDelta, "delta");
        add(names, !select.isEmpty(), "select");
        add(names, conflationMs > 0, "conflation");
        return names;
    }

    private static List<String> logAttributes(final String durable, final String from, final String to) {
        final List<String> names = new ArrayList<>();
        add(names, !durable.isEmpty(), "durable");
        add(names, !from.isEmpty(), "from");
        add(names, !to.isEmpty(), "to");
        return names;
    }

    private static void add(final List<String> names, final boolean isGiven, final String name) {
        if (isGiven) {
            names.add(name);
        }
    }

    private static LogPlace place(final String attribute, final String text) {
        if (text.isEmpty() || text.equals(NOW)) {
            return attribute.equals("to") && text.isEmpty() ? LogPlace.NO_END : LogPlace.NOW;
        }
        if (text.equals(BEGINNING) && attribute.equals("from")) {
            return LogPlace.BEGINNING;
        }
        try {
            return text.indexOf('T') > 0 ? LogPlace.time(Instant.parse(text)) : LogPlace.bookmark(Bookmark.parse(text));
        } catch (final PenstockException | DateTimeParseException e) {
            throw new ListenerAttributeException(
                    attribute,
                    "is no place in the log: " + text,
                    "use " + (attribute.equals("from") ? BEGINNING + ", " : "") + NOW
                            + ", a time such as 2026-01-31T14:00:00Z, or a bookmark such as 0:1234");
        }
    }

    /**
     * Whether it follows the state of a topic: such a subscription has no credit, and a client of its own.
     *
     * @return true with sow, oof, delta, select or conflation.
     */
    public boolean isFollowingState() {
        return !stateAttributes(select, isSow, isOof, isDelta, conflationMs).isEmpty();
    }

    /** The first attribute that asks for state; empty when none does. */
    String stateAttribute() {
        final List<String> names = stateAttributes(select, isSow, isOof, isDelta, conflationMs);
        return names.isEmpty() ? "" : names.get(0);
    }

    /**
     * Whether it has a name under which is noted what was processed.
     *
     * @return true then.
     */
    public boolean isDurable() {
        return !durable.isEmpty();
    }

    /**
     * Whether it reads the log.
     *
     * @return true with durable, from or to.
     */
    public boolean isFromLog() {
        return !logAttributes(durable, from, to).isEmpty();
    }

    /**
     * Whether it is over at some place of the log.
     *
     * @return true with to.
     */
    public boolean hasEnd() {
        return !to.isEmpty();
    }

    SubscribeRequest toSubscribe() {
        SubscribeRequest request = isPattern ? SubscribeRequest.pattern(topic) : SubscribeRequest.topic(topic);
        request = request.filter(filter);
        if (isSow) {
            request = request.sow();
        }
        if (isOof) {
            request = request.oof();
        }
        if (isDelta) {
            request = request.delta();
        }
        if (!select.isEmpty()) {
            request = request.select(select);
        }
        return conflationMs > 0 ? request.conflation(Duration.ofMillis(conflationMs)) : request;
    }

    ReplayRequest toReplay() {
        return (isPattern ? ReplayRequest.pattern(topic) : ReplayRequest.topic(topic))
                .filter(filter)
                .from(place("from", from))
                .to(place("to", to))
                .credit(credit);
    }

    /** Returns what it is to, for people. */
    @Override
    public String toString() {
        return (isPattern ? "pattern " : "")
                + topic
                + (filter.isEmpty() ? "" : " where " + filter)
                + (durable.isEmpty() ? "" : " as " + durable);
    }

    /** Collects what is said of a subscription. Not thread-safe. */
    public static final class Builder {
        private final String topic;
        private final boolean isPattern;
        private String filter = "";
        private String select = "";
        private boolean isSow;
        private boolean isOof;
        private boolean isDelta;
        private int conflationMs;
        private String durable = "";
        private String from = "";
        private String to = "";
        private long credit = CREDIT_DEFAULT;

        private Builder(final String topic, final boolean isPattern) {
            this.topic = topic;
            this.isPattern = isPattern;
        }

        /** Narrows to messages that satisfy a condition. */
        public Builder filter(final String value) {
            filter = value;
            return this;
        }

        /** Asks for some fields only; the key comes with them. */
        public Builder select(final String value) {
            select = value;
            return this;
        }

        /** Asks for the state first, and for every change from there. */
        public Builder sow(final boolean value) {
            isSow = value;
            return this;
        }

        /** Asks for records that no longer match, were deleted or have expired. */
        public Builder oof(final boolean value) {
            isOof = value;
            return this;
        }

        /** Asks for changed fields only. */
        public Builder delta(final boolean value) {
            isDelta = value;
            return this;
        }

        /** Asks for each record at most once in an interval, in milliseconds. */
        public Builder conflation(final int intervalMs) {
            conflationMs = intervalMs;
            return this;
        }

        /** Names it, so that it goes on after the last message that was processed. */
        public Builder durable(final String name) {
            durable = name;
            return this;
        }

        /** Says where in the log it begins. */
        public Builder from(final String place) {
            from = place;
            return this;
        }

        /** Says where in the log it ends. */
        public Builder to(final String place) {
            to = place;
            return this;
        }

        /** Bounds what the container holds, in bytes. */
        public Builder credit(final long bytes) {
            credit = bytes;
            return this;
        }

        /**
         * Makes the subscription.
         *
         * @return what was said.
         * @throws ListenerAttributeException when its parts do not go together; it names one of them.
         */
        public ListenerSubscription build() {
            return new ListenerSubscription(
                    topic, isPattern, filter, select, isSow, isOof, isDelta, conflationMs, durable, from, to, credit);
        }
    }
}
