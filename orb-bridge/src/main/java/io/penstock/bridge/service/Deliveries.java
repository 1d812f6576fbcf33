package io.penstock.bridge.service;

import io.penstock.client.MessageView;
import io.penstock.orb.Delivery;

/** Makes deliveries of what the Java client receives. */
final class Deliveries {
    static final Delivery[] NONE = {};

    private Deliveries() {}

    static Delivery of(final MessageView message) {
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
