package io.penstock.orb;

import java.io.Serializable;

/** A subscription to a topic or a pattern. Immutable; each method returns another request. */
public final class SubscribeRequest implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String topic;
    private final boolean isPattern;
    private final String filter;
    private final String start;
    private final String name;
    private final boolean isSow;
    private final boolean isOof;
    private final boolean isDelta;
    private final int leaseMs;

    /**
     * All messages of one topic.
     *
     * @param topic its name.
     * @return a request, to be narrowed.
     */
    public static SubscribeRequest topic(final String topic) {
        return new SubscribeRequest(topic, false, "", "", "", false, false, false, 0);
    }

    /**
     * All messages of all topics, present and future, whose whole names match.
     *
     * @param pattern a regular expression of RE2's syntax, for example {@code orders\\..*}.
     * @return a request, to be narrowed.
     */
    public static SubscribeRequest pattern(final String pattern) {
        return new SubscribeRequest(pattern, true, "", "", "", false, false, false, 0);
    }

    private SubscribeRequest(
            final String topic,
            final boolean isPattern,
            final String filter,
            final String start,
            final String name,
            final boolean isSow,
            final boolean isOof,
            final boolean isDelta,
            final int leaseMs) {
        this.topic = topic;
        this.isPattern = isPattern;
        this.filter = filter;
        this.start = start;
        this.name = name;
        this.isSow = isSow;
        this.isOof = isOof;
        this.isDelta = isDelta;
        this.leaseMs = leaseMs;
    }

    /**
     * Narrows to messages that satisfy a condition.
     *
     * @param condition for example {@code price > 10}; empty = everything.
     * @return the same with that.
     */
    public SubscribeRequest filter(final String condition) {
        return new SubscribeRequest(topic, isPattern, condition, start, name, isSow, isOof, isDelta, leaseMs);
    }

    /**
     * Says where in the log it begins.
     *
     * @param place {@code beginning}, {@code now}, a bookmark after which it goes on ({@code 0:1234,1:99}), or a time
     *     ({@code 2026-01-31T10:15:00Z}); empty = new messages, as they come.
     * @return the same with that.
     */
    public SubscribeRequest from(final String place) {
        return new SubscribeRequest(topic, isPattern, filter, place, name, isSow, isOof, isDelta, leaseMs);
    }

    /**
     * Has the bridge note how far it has come, and go on there when it is made again.
     *
     * @param newName of the subscription, one at a time for each user; empty = none.
     * @return the same with that.
     */
    public SubscribeRequest name(final String newName) {
        return new SubscribeRequest(topic, isPattern, filter, start, newName, isSow, isOof, isDelta, leaseMs);
    }

    /**
     * Asks for the state first, and for every change from there.
     *
     * @return the same with that.
     */
    public SubscribeRequest sow() {
        return new SubscribeRequest(topic, isPattern, filter, start, name, true, isOof, isDelta, leaseMs);
    }

    /**
     * Asks to be notified of records that no longer match, were deleted or have expired.
     *
     * @return the same with that.
     */
    public SubscribeRequest oof() {
        return new SubscribeRequest(topic, isPattern, filter, start, name, isSow, true, isDelta, leaseMs);
    }

    /**
     * Asks for the key and the changed fields only, of records that were delivered before.
     *
     * @return the same with that.
     */
    public SubscribeRequest delta() {
        return new SubscribeRequest(topic, isPattern, filter, start, name, isSow, isOof, true, leaseMs);
    }

    /**
     * Says after which time it ends when nothing is heard of its client.
     *
     * @param newLeaseMs in milliseconds, within the bridge's bounds; 0 = the bridge's.
     * @return the same with that.
     */
    public SubscribeRequest leaseMs(final int newLeaseMs) {
        return new SubscribeRequest(topic, isPattern, filter, start, name, isSow, isOof, isDelta, newLeaseMs);
    }

    /**
     * A topic's name, or a regular expression that is matched against whole names.
     *
     * @return text, not empty.
     */
    public String topic() {
        return topic;
    }

    public boolean isPattern() {
        return isPattern;
    }

    /**
     * The condition on the fields of the message.
     *
     * @return text; empty = everything.
     */
    public String filter() {
        return filter;
    }

    /**
     * Where in the log it begins.
     *
     * @return {@code beginning}, {@code now}, a bookmark or a time; empty = new messages, as they come.
     */
    public String start() {
        return start;
    }

    /**
     * Under which the bridge notes how far it has come.
     *
     * @return empty = it has none.
     */
    public String name() {
        return name;
    }

    public boolean isSow() {
        return isSow;
    }

    public boolean isOof() {
        return isOof;
    }

    public boolean isDelta() {
        return isDelta;
    }

    /**
     * After which time it ends when nothing is heard of its client.
     *
     * @return in milliseconds; 0 = the bridge's.
     */
    public int leaseMs() {
        return leaseMs;
    }
}
