package io.penstock.bridge.service;

import io.penstock.client.MessageView;
import io.penstock.orb.Delivery;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.PageWithHeaders;
import io.penstock.orb.QueryPage;

/** Makes deliveries of what the Java client receives. */
public final class Deliveries {
    static final DeliveryWithHeaders[] NONE = {};

    private Deliveries() {}

    /**
     * Leaves the headers out.
     *
     * @param deliveries with them.
     * @return the same without.
     */
    public static Delivery[] withoutHeaders(final DeliveryWithHeaders[] deliveries) {
        final Delivery[] plain = new Delivery[deliveries.length];
        for (int i = 0; i < plain.length; i++) {
            plain[i] = deliveries[i].message();
        }
        return plain;
    }

    /**
     * Leaves the headers out.
     *
     * @param page of records with them.
     * @return the same without.
     */
    public static QueryPage withoutHeaders(final PageWithHeaders page) {
        return new QueryPage(withoutHeaders(page.records()), page.isComplete());
    }

    static DeliveryWithHeaders of(final MessageView message) {
        return new DeliveryWithHeaders(delivery(message), HeaderValues.of(message.headers()));
    }

    private static Delivery delivery(final MessageView message) {
        final int kind = switch (message.kind()) {
            case MESSAGE -> Delivery.MESSAGE;
            case STATE -> Delivery.STATE;
            case DELTA -> Delivery.DELTA;
            case OOF_MATCH -> Delivery.OOF_MATCH;
            case OOF_DELETED -> Delivery.OOF_DELETED;
            case OOF_EXPIRED -> Delivery.OOF_EXPIRED;
        };
        return new Delivery(
                kind,
                message.topic(),
                message.shard(),
                message.sequence(),
                message.timestampNs(),
                message.key(),
                message.bytes());
    }
}
