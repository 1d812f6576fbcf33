package io.penstock.system.client;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.client.MessageStream;
import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import io.penstock.client.RecordKind;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Topic;
import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.AckDecoder;
import io.penstock.protocol.codec.AckTypesEncoder;
import io.penstock.protocol.codec.DeliverDecoder;
import io.penstock.protocol.codec.ErrorDecoder;
import io.penstock.protocol.codec.GroupEndDecoder;
import io.penstock.protocol.codec.LogonAckDecoder;
import io.penstock.protocol.codec.LogonEncoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.SowEncoder;
import io.penstock.protocol.codec.SubscribeEncoder;
import io.penstock.protocol.codec.TopicEntryDecoder;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that knows version 1 of the protocol, and nothing of later ones, beside others that use headers. */
@Timeout(60)
class VersionOneClientTest extends BrokerFixture {
    private static final int RECORD_HEADER_LENGTH = 48;
    private static final int FLAG_KEY = 1;
    private static final int FLAG_EXPIRES = 2;
    private static final int PUBLISH_STATE = 10;
    private static final int PUBLISH_STATE_BLOCK_LENGTH = 26;

    private final ExpandableArrayBuffer frame = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final List<String> received = new ArrayList<>();
    private Socket socket = new Socket();
    private String lastError = "";

    VersionOneClientTest() {
        super(BrokerConfig.builder().listen("tcp://127.0.0.1:0").threading(ThreadingMode.SHARED));
    }

    @BeforeEach
    void logOn() throws IOException {
        final URI endpoint = broker().endpoints().get(0);
        socket = new Socket(endpoint.getHost(), endpoint.getPort());
        final LogonEncoder logon = new LogonEncoder();
        logon.wrapAndApplyHeader(frame, 0, header).commandId(1).heartbeatIntervalMs(60_000);
        logon.clientName("old").user("").password("");
        send(logon.limit());
        await(LogonAckDecoder.TEMPLATE_ID);
    }

    @AfterEach
    void disconnect() throws IOException {
        socket.close();
    }

    @Test
    void shouldSeeMessagesAsIfTheyHadNoHeaders() throws IOException {
        subscribe("orders", "HEADER('region') = 'EU'");
        final PenstockClient client = connect();
        final String longText = "{\"a\":\"" + "x".repeat(300_000) + "\"}";
        client.publish(Publication.to("orders").text("{\"a\":1}").header("region", "EU"));
        client.publish(Publication.to("orders").text("{\"a\":2}").header("region", "US"));
        client.publish(Publication.to("orders").text(longText).header("region", "EU"));
        for (int i = 0; i < 100; i++) {
            client.publish(Publication.to("orders")
                    .text("{\"a\":" + i + "}")
                    .header("region", "EU")
                    .header("n", i));
        }
        awaitRecords(102);
        assertThat(received.subList(0, 2)).containsExactly("{\"a\":1}", longText);
        for (int i = 0; i < 100; i++) {
            assertThat(received.get(2 + i)).isEqualTo("{\"a\":" + i + "}");
        }
    }

    @Test
    void shouldSeeKeysAndExpirationsOfRecordsWithHeaders() throws IOException {
        final PenstockClient client = connect();
        client.declareTopic(Topic.binary("blobs").key("*"));
        client.publish(Publication.to("blobs").text("one").key("k1").header("a", "b"));
        client.publish(
                Publication.to("blobs").text("two").key("k2").header("a", 5).expiration(Duration.ofHours(1)));
        client.publish(Publication.to("blobs").text("three").key("k3"));
        client.flush(LONG);
        final SowEncoder sow = new SowEncoder();
        sow.wrapAndApplyHeader(frame, 0, header)
                .commandId(5)
                .queryId(9)
                .topN(-1)
                .skipN(0)
                .batchSize(0)
                .timeoutMs(0)
                .progressMs(0);
        sow.options().clear();
        sow.ackTypes().clear();
        frame.setMemory(sow.offset() + SowEncoder.asOfTimeNsEncodingOffset(), 9, (byte) 0);
        sow.topic("blobs")
                .filter("")
                .orderBy("")
                .selection("")
                .groupBy("")
                .having("")
                .keys("")
                .asOfBookmark("");
        send(sow.limit());
        await(GroupEndDecoder.TEMPLATE_ID);
        assertThat(received).containsExactlyInAnyOrder("one @k1", "two @k2", "three @k3");
        received.clear();
        subscribe("blobs", "");
        client.publish(
                Publication.to("blobs").text("four").key("k4").header("a", "b").expiration(Duration.ofHours(1)));
        awaitRecords(1);
        assertThat(received).containsExactly("four @k4 expires");
    }

    @Test
    void shouldPublishWithTheFieldsThatItKnows() throws IOException {
        final PenstockClient client = connect();
        client.declareTopic(Topic.binary("blobs").key("*"));
        final MessageStream stream = client.stream(SubscribeRequest.topic("blobs"));
        publishState("blobs", "key", 0);
        await(AckDecoder.TEMPLATE_ID);
        final var message = taken(stream);
        assertThat(message.kind()).isEqualTo(RecordKind.MESSAGE);
        assertThat(message.key() + " " + message.text()).isEqualTo("key text");
        assertThat(message.headers().isEmpty()).isTrue();
        client.declareTopic("plain", "binary");
        publishState("plain", "", 0);
        await(AckDecoder.TEMPLATE_ID);
        publishState("plain", "", 4);
        await(ErrorDecoder.TEMPLATE_ID);
        assertThat(lastError).contains("NOT_SUPPORTED", "unknown option: 0x4 (use bit 0");
        publishState("plain", "key", 0);
        await(ErrorDecoder.TEMPLATE_ID);
        assertThat(lastError).contains("NO_STATE");
    }

    private void publishState(final String topic, final String key, final int options) throws IOException {
        final ByteBuffer command = ByteBuffer.allocate(128).order(LITTLE_ENDIAN);
        command.putShort((short) PUBLISH_STATE_BLOCK_LENGTH)
                .putShort((short) PUBLISH_STATE)
                .putShort((short) FrameHeader.SCHEMA_ID)
                .putShort((short) 1);
        command.putLong(3).putLong(0).put((byte) 2).put((byte) options).putLong(0);
        for (final String text : List.of(topic, key)) {
            command.putShort((short) text.length()).put(text.getBytes(UTF_8));
        }
        command.putInt(4).put("text".getBytes(UTF_8));
        frame.putBytes(0, command.array());
        send(command.position());
    }

    private void subscribe(final String topic, final String filter) throws IOException {
        final SubscribeEncoder subscribe = new SubscribeEncoder();
        subscribe
                .wrapAndApplyHeader(frame, 0, header)
                .commandId(2)
                .subscriptionId(7)
                .conflationMs(0)
                .topN(-1)
                .skipN(0)
                .batchSize(0);
        subscribe.options().clear();
        final AckTypesEncoder acks = subscribe.ackTypes();
        acks.clear().processed(true);
        subscribe.topic(topic).filter(filter).orderBy("").selection("").conflationKey("");
        send(subscribe.limit());
        await(AckDecoder.TEMPLATE_ID);
    }

    private void send(final int length) throws IOException {
        frame.putShort(FrameHeader.VERSION_OFFSET, (short) 1, LITTLE_ENDIAN);
        final ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + length).order(LITTLE_ENDIAN);
        bytes.putInt(length);
        frame.getBytes(0, bytes, length);
        final OutputStream out = socket.getOutputStream();
        out.write(bytes.array());
        out.flush();
    }

    private void await(final int templateId) throws IOException {
        int next;
        do {
            next = receive();
        } while (next != templateId);
    }

    private void awaitRecords(final int count) throws IOException {
        while (received.size() < count) {
            receive();
        }
    }

    private int receive() throws IOException {
        final DataInputStream in = new DataInputStream(socket.getInputStream());
        final byte[] bytes = in.readNBytes(Integer.reverseBytes(in.readInt()));
        final ByteBuffer answer = ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN);
        final int templateId = answer.getShort(2);
        if (templateId == DeliverDecoder.TEMPLATE_ID) {
            onRecords(answer, FrameHeader.LENGTH + answer.getShort(0));
        }
        if (templateId == ErrorDecoder.TEMPLATE_ID) {
            lastError = text(
                    answer,
                    FrameHeader.LENGTH + answer.getShort(0),
                    answer.capacity() - FrameHeader.LENGTH - answer.getShort(0));
        }
        assertThat(templateId)
                .isIn(
                        ErrorDecoder.TEMPLATE_ID,
                        LogonAckDecoder.TEMPLATE_ID,
                        AckDecoder.TEMPLATE_ID,
                        DeliverDecoder.TEMPLATE_ID,
                        TopicEntryDecoder.TEMPLATE_ID,
                        GroupEndDecoder.TEMPLATE_ID,
                        107);
        return templateId;
    }

    /** Reads records as version 1 describes them. */
    private void onRecords(final ByteBuffer answer, final int first) {
        for (int at = first; at < answer.capacity(); ) {
            final int length = answer.getInt(at);
            final int flags = answer.get(at + 5);
            final int trailerLength = answer.getShort(at + 6) & 0xFFFF;
            assertThat(flags & ~(FLAG_KEY | FLAG_EXPIRES)).isZero();
            final int messageLength = length - RECORD_HEADER_LENGTH - trailerLength;
            final String text = text(answer, at + RECORD_HEADER_LENGTH, messageLength);
            final int keyLength =
                    (flags & FLAG_KEY) == 0 ? 0 : trailerLength - ((flags & FLAG_EXPIRES) == 0 ? 0 : Long.BYTES);
            final String key = text(answer, at + RECORD_HEADER_LENGTH + messageLength, keyLength);
            received.add(text + (key.isEmpty() ? "" : " @" + key) + ((flags & FLAG_EXPIRES) == 0 ? "" : " expires"));
            at += (length + 7) & ~7;
        }
    }

    private static String text(final ByteBuffer from, final int offset, final int length) {
        final byte[] bytes = new byte[length];
        from.get(offset, bytes);
        return new String(bytes, UTF_8);
    }
}
