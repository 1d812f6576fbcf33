package io.penstock.spring.state;

import io.penstock.client.SubscribeRequest;
import io.penstock.spring.listener.ListenerAttributeException;
import java.time.Duration;

/**
 * What a mirror holds. Immutable.
 *
 * @param topic     with state.
 * @param filter    a condition on the fields of records; empty = all.
 * @param select    the fields that come; empty = all.
 * @param keyType   of the map's keys.
 * @param valueType of the map's values.
 * @param timeout   longest wait for the records while the context starts.
 * @param limit     most records; a mirror that reaches it fails.
 */
public record MirrorRequest(
        String topic, String filter, String select, Class<?> keyType, Class<?> valueType, Duration timeout, int limit) {
    /** Longest wait unless given. */
    public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(30);

    /** Most records unless given. */
    public static final int LIMIT_DEFAULT = 1_000_000;

    public MirrorRequest {
        if (topic.isEmpty()) {
            throw new ListenerAttributeException("topic", "is empty", "name a topic with state");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new ListenerAttributeException("timeout", "is not above 0: " + timeout, "use one such as 30s");
        }
        if (limit < 1) {
            throw new ListenerAttributeException("limit", "is too small: " + limit, "use 1 or more");
        }
    }

    SubscribeRequest toSubscribe() {
        final SubscribeRequest request =
                SubscribeRequest.topic(topic).filter(filter).sow().oof();
        return select.isEmpty() ? request : request.select(select);
    }

    /** Returns what it holds, for people. */
    @Override
    public String toString() {
        return "state of " + topic + (filter.isEmpty() ? "" : " where " + filter);
    }
}
