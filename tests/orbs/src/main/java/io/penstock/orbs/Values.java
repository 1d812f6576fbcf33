package io.penstock.orbs;

import io.penstock.bridge.service.Deliveries;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import io.penstock.orb.Delivery;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.Header;
import io.penstock.orb.Publication;
import io.penstock.orb.PublicationWithHeaders;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;

/** Values of the contract in Java, made from those that idlj generates, and the other way round. */
final class Values {
    private Values() {}

    static Credentials of(final io.penstock.orbs.idl.Credentials value) {
        return new Credentials(value.name, value.user, value.password);
    }

    static Publication of(final io.penstock.orbs.idl.Publication value) {
        final Publication whole =
                Publication.of(value.topic, value.data).key(value.key).expirationMs(value.expirationMs);
        return value.isDelta ? whole.delta() : whole;
    }

    static Publication[] of(final io.penstock.orbs.idl.Publication[] values) {
        final Publication[] publications = new Publication[values.length];
        for (int i = 0; i < values.length; i++) {
            publications[i] = of(values[i]);
        }
        return publications;
    }

    static PublicationWithHeaders[] of(final io.penstock.orbs.idl.PublicationWithHeaders[] values) {
        final PublicationWithHeaders[] publications = new PublicationWithHeaders[values.length];
        for (int i = 0; i < values.length; i++) {
            publications[i] = new PublicationWithHeaders(of(values[i].message), of(values[i].headers));
        }
        return publications;
    }

    static SubscribeRequest of(final io.penstock.orbs.idl.SubscribeRequest value) {
        SubscribeRequest request =
                value.isPattern ? SubscribeRequest.pattern(value.topic) : SubscribeRequest.topic(value.topic);
        request =
                request.filter(value.filter).from(value.start).name(value.name).leaseMs(value.leaseMs);
        request = value.isSow ? request.sow() : request;
        request = value.isOof ? request.oof() : request;
        return value.isDelta ? request.delta() : request;
    }

    static QueryRequest of(final io.penstock.orbs.idl.QueryRequest value) {
        final QueryRequest request =
                value.isPattern ? QueryRequest.pattern(value.topic) : QueryRequest.topic(value.topic);
        return request.filter(value.filter)
                .select(value.select)
                .groupBy(value.groupBy, value.having)
                .orderBy(value.orderBy)
                .limit(value.top, value.skip);
    }

    static io.penstock.orbs.idl.Delivery[] of(final Delivery[] deliveries) {
        final io.penstock.orbs.idl.Delivery[] values = new io.penstock.orbs.idl.Delivery[deliveries.length];
        for (int i = 0; i < values.length; i++) {
            final Delivery each = deliveries[i];
            values[i] = new io.penstock.orbs.idl.Delivery(
                    each.kind(),
                    each.topic(),
                    each.shard(),
                    each.sequence(),
                    each.timestampNs(),
                    each.key(),
                    each.data());
        }
        return values;
    }

    static Header[] of(final io.penstock.orbs.idl.Header[] values) {
        final Header[] headers = new Header[values.length];
        for (int i = 0; i < values.length; i++) {
            final io.penstock.orbs.idl.Header each = values[i];
            headers[i] = switch (each.type) {
                case Header.TEXT_VALUE -> Header.of(each.name, each.text);
                case Header.NUMBER_VALUE -> Header.of(each.name, each.number);
                default -> Header.of(each.name, each.data);
            };
        }
        return headers;
    }

    static io.penstock.orbs.idl.DeliveryWithHeaders[] withHeaders(final DeliveryWithHeaders[] deliveries) {
        final io.penstock.orbs.idl.Delivery[] plain = of(Deliveries.withoutHeaders(deliveries));
        final var values = new io.penstock.orbs.idl.DeliveryWithHeaders[deliveries.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = new io.penstock.orbs.idl.DeliveryWithHeaders(plain[i], of(deliveries[i].headers()));
        }
        return values;
    }

    private static io.penstock.orbs.idl.Header[] of(final Header[] headers) {
        final io.penstock.orbs.idl.Header[] values = new io.penstock.orbs.idl.Header[headers.length];
        for (int i = 0; i < values.length; i++) {
            final Header each = headers[i];
            values[i] =
                    new io.penstock.orbs.idl.Header(each.name(), each.type(), each.text(), each.number(), each.data());
        }
        return values;
    }

    static io.penstock.orbs.idl.BrokerException of(final BrokerException refusal) {
        return new io.penstock.orbs.idl.BrokerException(refusal.code(), refusal.name(), refusal.text());
    }
}
