package io.penstock.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.document.DocumentedProtocol.Fixed;
import io.penstock.document.DocumentedProtocol.Layout;
import io.penstock.document.DocumentedProtocol.Parsed;
import io.penstock.protocol.ErrorCode;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Someone with the document alone can talk to a broker. */
class ProtocolDocumentTest {
    private static final int PROCESSED = 2;
    private static final int TIMEOUT_MS = 20_000;

    private final DocumentedProtocol protocol = new DocumentedProtocol();

    ProtocolDocumentTest() throws IOException {}

    @Test
    void shouldLayOutBlocksWithoutGaps() {
        assertThat(protocol.layouts()).hasSizeGreaterThan(14);
        for (final Layout layout : protocol.layouts().values()) {
            int offset = 0;
            for (final Fixed field : layout.fixed) {
                assertThat(field.offset())
                        .as("%s.%s", layout.name, field.name())
                        .isEqualTo(offset);
                assertThat(field.type()).as("%s.%s", layout.name, field.name()).endsWith("int" + field.length() * 8);
                offset += field.length();
            }
            if (!layout.name.equals("Header")) {
                assertThat(offset).as(layout.name).isEqualTo(layout.blockLength);
            }
        }
    }

    @Test
    void shouldListEachErrorCodeOnce() throws IOException {
        final String text = Files.readString(Path.of("../../docs/reference/protocol.md"));
        for (final ErrorCode code : ErrorCode.values()) {
            assertThat(text).containsOnlyOnce("| " + code.code() + " | " + code.name() + " |");
        }
    }

    @Test
    void shouldPublishAndSubscribeWhenFramesAreBuiltFromTheTablesAlone() throws IOException {
        try (Broker broker = Broker.launch(
                        BrokerConfig.builder().listen("tcp://127.0.0.1:0").build());
                Socket socket = connect(broker.endpoints().get(0))) {
            send(socket, "Logon", Map.of("commandId", 1, "clientName", "by-the-book"));
            final Parsed logonAck = receive(socket);
            assertThat(logonAck.name()).isEqualTo("LogonAck");
            assertThat(logonAck.fields()).containsEntry("commandId", 1L).containsEntry("shardCount", 1L);

            send(
                    socket,
                    "Subscribe",
                    Map.of(
                            "commandId",
                            2,
                            "subscriptionId",
                            77,
                            "ackTypes",
                            PROCESSED,
                            "topic",
                            "quotes",
                            "filter",
                            "price > 10"));
            assertAck(receive(socket), 2, 0);

            send(socket, "Publish", publish(3, 1, "{\"price\":9}"));
            send(socket, "Publish", publish(4, 2, "{\"price\":11}"));
            Parsed next = receiveAfterAcks(socket);
            assertThat(next.name()).isEqualTo("TopicEntry");
            assertThat(next.fields()).containsEntry("name", "quotes").containsEntry("format", "json");
            final Object topicId = next.fields().get("topicId");
            next = receive(socket);
            assertThat(next.name()).isEqualTo("Deliver");
            assertThat(next.fields()).containsEntry("subscriptionId", 77L).containsEntry("topicId", topicId);
            final var records = protocol.records(next.rest());
            assertThat(records).hasSize(1);
            assertThat(records.get(0))
                    .containsEntry("payload", "{\"price\":11}")
                    .containsEntry("publisherSequence", 2L)
                    .containsEntry("topicId", topicId);

            send(socket, "Publish", Map.of("commandId", 5, "topic", "quotes", "payload", "{"));
            next = receiveAfterAcks(socket);
            assertThat(next.name()).isEqualTo("Error");
            assertThat(next.fields())
                    .containsEntry("commandId", 5L)
                    .containsEntry("name", "BAD_MESSAGE")
                    .containsEntry("code", (long) ErrorCode.BAD_MESSAGE.code());

            send(socket, "Flush", Map.of("commandId", 6));
            assertThat(receive(socket).name()).isEqualTo("Ack");
        }
    }

    private static Map<String, Object> publish(final long commandId, final long sequence, final String payload) {
        return Map.of(
                "commandId", commandId,
                "publisherSequence", sequence,
                "ackTypes", PROCESSED,
                "topic", "quotes",
                "payload", payload);
    }

    private static void assertAck(final Parsed ack, final long commandId, final long publisherSequence) {
        assertThat(ack.name()).isEqualTo("Ack");
        assertThat(ack.fields())
                .containsEntry("commandId", commandId)
                .containsEntry("publisherSequence", publisherSequence)
                .containsEntry("ackType", 1L);
    }

    private static Socket connect(final URI endpoint) throws IOException {
        final Socket socket = new Socket(endpoint.getHost(), endpoint.getPort());
        socket.setSoTimeout(TIMEOUT_MS);
        return socket;
    }

    private void send(final Socket socket, final String message, final Map<String, Object> fields) throws IOException {
        socket.getOutputStream().write(protocol.frame(message, fields));
    }

    /** Acknowledgements of publishes may come together, or one by one. */
    private Parsed receiveAfterAcks(final Socket socket) throws IOException {
        Parsed next = receive(socket);
        while (next.name().equals("Ack")) {
            next = receive(socket);
        }
        return next;
    }

    private Parsed receive(final Socket socket) throws IOException {
        final DataInputStream in = new DataInputStream(socket.getInputStream());
        final byte[] frame = new byte[Integer.reverseBytes(in.readInt())];
        in.readFully(frame);
        final Parsed parsed = protocol.parse(frame);
        return parsed.name().equals("Heartbeat") ? receive(socket) : parsed;
    }
}
