package io.penstock.bridge.iiop;

import io.netty.buffer.ByteBuf;
import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.CdrWriter;
import io.penstock.bridge.giop.SystemException;
import io.penstock.bridge.service.Batch;
import io.penstock.bridge.service.HeaderValues;
import io.penstock.bridge.service.PublishCommand;
import io.penstock.client.PublishOptions;
import io.penstock.format.header.HeaderLayout;
import io.penstock.format.header.Headers;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import io.penstock.orb.Delivery;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.Header;
import io.penstock.orb.PageWithHeaders;
import io.penstock.orb.Publication;
import io.penstock.orb.PublicationWithHeaders;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import io.penstock.protocol.ErrorCode;

/** The values of the contract in CDR, member by member as {@code Penstock.idl} has them. */
final class Values {
    static final String BROKER_TYPE = "IDL:Penstock/PenstockBroker:1.0";
    static final String EXCEPTION_TYPE = "IDL:Penstock/BrokerException:1.0";

    /** Two strings and one sequence of nothing, a boolean and a long long, in bytes. */
    private static final int PUBLICATION_LENGTH_MIN = 24;

    /** Two strings and one sequence of nothing, a long and a long long, in bytes. */
    private static final int HEADER_LENGTH_MIN = 24;

    /** A sequence of nothing, in bytes. */
    private static final int HEADERS_LENGTH_MIN = Integer.BYTES;

    private Values() {}

    static Credentials readCredentials(final CdrReader in) throws SystemException {
        return new Credentials(in.string(), in.string(), in.string());
    }

    private static Publication readPublication(final CdrReader in) throws SystemException {
        final String topic = in.string();
        final byte[] data = in.octets();
        final Publication publication = Publication.of(topic, data).key(in.string());
        final boolean isDelta = in.readBoolean();
        final Publication timed = publication.expirationMs(in.readLong());
        return isDelta ? timed.delta() : timed;
    }

    static PublishRequest readPublish(final CdrReader in, final boolean isWithHeaders)
            throws SystemException, BrokerException {
        final String topic = in.string();
        final ByteBuf data = in.octetsInPlace();
        final PublishOptions options = PublishCommand.options(
                in.string(),
                in.readBoolean(),
                in.readLong(),
                isWithHeaders ? HeaderValues.read(readHeaders(in)) : Headers.NONE);
        return new PublishRequest(topic, data, options, in.readBoolean());
    }

    private static Header[] readHeaders(final CdrReader in) throws SystemException, BrokerException {
        final int count = in.count(HEADER_LENGTH_MIN);
        if (count > HeaderLayout.COUNT_MAX) {
            throw new BrokerException(
                    ErrorCode.BAD_HEADER.code(),
                    ErrorCode.BAD_HEADER.name(),
                    "header: " + count + " of them (give at most " + HeaderLayout.COUNT_MAX + ")");
        }
        final Header[] headers = new Header[count];
        for (int i = 0; i < count; i++) {
            headers[i] = readHeader(in);
        }
        return headers;
    }

    private static Header readHeader(final CdrReader in) throws SystemException, BrokerException {
        final String name = in.string();
        final int type = in.readInt();
        final String text = in.string();
        final long number = in.readLong();
        final byte[] data = in.octets();
        return switch (type) {
            case Header.TEXT_VALUE -> Header.of(name, text);
            case Header.NUMBER_VALUE -> Header.of(name, number);
            case Header.BYTES_VALUE -> Header.of(name, data);
            default ->
                throw new BrokerException(
                        ErrorCode.BAD_HEADER.code(),
                        ErrorCode.BAD_HEADER.name(),
                        "header: unknown type: " + type + " (use 0 to 2)");
        };
    }

    static Batch readBatch(final CdrReader in, final String operation, final int countMax)
            throws SystemException, BrokerException {
        final boolean isWithHeaders = operation.equals(Batch.WITH_HEADERS);
        final int count = in.count(PUBLICATION_LENGTH_MIN + (isWithHeaders ? HEADERS_LENGTH_MIN : 0));
        if (count > countMax) {
            throw new BrokerException(
                    ErrorCode.LIMIT_REACHED.code(),
                    ErrorCode.LIMIT_REACHED.name(),
                    operation + ": too much: " + count + " messages (use at most " + countMax + ")");
        }
        return isWithHeaders
                ? Batch.withHeaders(readPublicationsWithHeaders(in, count), in.readBoolean())
                : Batch.of(readPublications(in, count), in.readBoolean());
    }

    private static Publication[] readPublications(final CdrReader in, final int count) throws SystemException {
        final Publication[] publications = new Publication[count];
        for (int i = 0; i < count; i++) {
            publications[i] = readPublication(in);
        }
        return publications;
    }

    private static PublicationWithHeaders[] readPublicationsWithHeaders(final CdrReader in, final int count)
            throws SystemException, BrokerException {
        final PublicationWithHeaders[] publications = new PublicationWithHeaders[count];
        for (int i = 0; i < count; i++) {
            final Publication message = readPublication(in);
            try {
                publications[i] = new PublicationWithHeaders(message, readHeaders(in));
            } catch (final BrokerException e) {
                throw Batch.refusal(Batch.WITH_HEADERS, i, e);
            }
        }
        return publications;
    }

    static SubscribeRequest readSubscribeRequest(final CdrReader in) throws SystemException {
        final String topic = in.string();
        SubscribeRequest request = in.readBoolean() ? SubscribeRequest.pattern(topic) : SubscribeRequest.topic(topic);
        request = request.filter(in.string()).from(in.string()).name(in.string());
        request = in.readBoolean() ? request.sow() : request;
        request = in.readBoolean() ? request.oof() : request;
        request = in.readBoolean() ? request.delta() : request;
        return request.leaseMs(in.readInt());
    }

    static QueryRequest readQueryRequest(final CdrReader in) throws SystemException {
        final String topic = in.string();
        final QueryRequest request = in.readBoolean() ? QueryRequest.pattern(topic) : QueryRequest.topic(topic);
        return request.filter(in.string())
                .select(in.string())
                .groupBy(in.string(), in.string())
                .orderBy(in.string())
                .limit(in.readInt(), in.readInt());
    }

    static void write(final CdrWriter out, final DeliveryWithHeaders[] deliveries, final boolean isWithHeaders)
            throws SystemException {
        out.writeInt(deliveries.length);
        for (final DeliveryWithHeaders each : deliveries) {
            write(out, each.message());
            if (isWithHeaders) {
                write(out, each.headers());
            }
        }
    }

    private static void write(final CdrWriter out, final Delivery delivery) throws SystemException {
        out.writeInt(delivery.kind());
        out.string(delivery.topic());
        out.writeInt(delivery.shard());
        out.writeLong(delivery.sequence());
        out.writeLong(delivery.timestampNs());
        out.string(delivery.key());
        out.octets(delivery.data());
    }

    private static void write(final CdrWriter out, final Header[] headers) throws SystemException {
        out.writeInt(headers.length);
        for (final Header each : headers) {
            out.string(each.name());
            out.writeInt(each.type());
            out.string(each.text());
            out.writeLong(each.number());
            out.octets(each.data());
        }
    }

    static void write(final CdrWriter out, final PageWithHeaders page, final boolean isWithHeaders)
            throws SystemException {
        write(out, page.records(), isWithHeaders);
        out.writeBoolean(page.isComplete());
    }

    static void write(final CdrWriter out, final BrokerException refusal) {
        out.text(EXCEPTION_TYPE);
        out.writeInt(refusal.code());
        out.text(refusal.name());
        out.text(refusal.text());
    }
}
