package io.penstock.bridge.iiop;

import io.netty.buffer.ByteBuf;
import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.CdrWriter;
import io.penstock.bridge.giop.SystemException;
import io.penstock.client.PublishOptions;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import io.penstock.orb.Delivery;
import io.penstock.orb.Publication;
import io.penstock.orb.QueryPage;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import io.penstock.protocol.ErrorCode;

/** The values of the contract in CDR, member by member as {@code Penstock.idl} has them. */
final class Values {
    static final String BROKER_TYPE = "IDL:Penstock/PenstockBroker:1.0";
    static final String EXCEPTION_TYPE = "IDL:Penstock/BrokerException:1.0";

    /** Two strings and one sequence of nothing, a boolean and a long long, in bytes. */
    private static final int PUBLICATION_LENGTH_MIN = 24;

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

    static PublishRequest readPublish(final CdrReader in) throws SystemException {
        final String topic = in.string();
        final ByteBuf data = in.octetsInPlace();
        final PublishOptions options = new PublishOptions(in.string(), in.readBoolean(), in.readLong());
        return new PublishRequest(topic, data, options, in.readBoolean());
    }

    static Publication[] readPublications(final CdrReader in, final int countMax)
            throws SystemException, BrokerException {
        final int count = in.count(PUBLICATION_LENGTH_MIN);
        if (count > countMax) {
            throw new BrokerException(
                    ErrorCode.LIMIT_REACHED.code(),
                    ErrorCode.LIMIT_REACHED.name(),
                    "publishBatch: too much: " + count + " messages (use at most " + countMax + ")");
        }
        final Publication[] publications = new Publication[count];
        for (int i = 0; i < count; i++) {
            publications[i] = readPublication(in);
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

    static void write(final CdrWriter out, final Delivery[] deliveries) throws SystemException {
        out.writeInt(deliveries.length);
        for (final Delivery each : deliveries) {
            out.writeInt(each.kind());
            out.string(each.topic());
            out.writeInt(each.shard());
            out.writeLong(each.sequence());
            out.writeLong(each.timestampNs());
            out.string(each.key());
            out.octets(each.data());
        }
    }

    static void write(final CdrWriter out, final QueryPage page) throws SystemException {
        write(out, page.records());
        out.writeBoolean(page.isComplete());
    }

    static void write(final CdrWriter out, final BrokerException refusal) {
        out.text(EXCEPTION_TYPE);
        out.writeInt(refusal.code());
        out.text(refusal.name());
        out.text(refusal.text());
    }
}
