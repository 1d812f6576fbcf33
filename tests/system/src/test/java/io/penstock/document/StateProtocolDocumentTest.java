package io.penstock.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.document.DocumentedProtocol.Parsed;
import io.penstock.protocol.ErrorCode;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Someone with the document alone can keep state, query and follow it. */
class StateProtocolDocumentTest {
    private static final long PROCESSED = 2;
    private static final long COMPLETED = 8;
    private static final long STATS = 16;
    private static final long SOW = 2;
    private static final long OOF = 4;
    private static final long DELTA = 8;
    private static final long REPLACE = 32;
    private static final int TIMEOUT_MS = 20_000;

    private final DocumentedProtocol protocol = new DocumentedProtocol();
    private Broker broker;
    private Socket socket;
    private long commandId;

    StateProtocolDocumentTest() throws IOException {}

    @BeforeEach
    void setUp() throws IOException {
        broker =
                Broker.launch(BrokerConfig.builder().listen("tcp://127.0.0.1:0").build());
        final URI endpoint = broker.endpoints().get(0);
        socket = new Socket(endpoint.getHost(), endpoint.getPort());
        socket.setSoTimeout(TIMEOUT_MS);
        send("Logon", Map.of());
        assertNext("LogonAck", Map.of());
        send("DeclareTopic", Map.of("ackTypes", PROCESSED, "topic", "quotes", "format", "json", "key", "s"));
        assertNext("Ack", Map.of("commandId", commandId, "ackType", 1L));
    }

    @AfterEach
    void tearDown() throws IOException {
        socket.close();
        broker.close();
    }

    @Test
    void shouldMergeADeltaAndAnswerAQuery() throws IOException {
        publish("{\"s\":\"A\",\"p\":1,\"q\":5}");
        publish("{\"s\":\"B\",\"p\":9}");
        send("PublishState", Map.of("topic", "quotes", "payload", "{\"s\":\"A\",\"p\":2}", "options", 1));

        send("Sow", Map.of("queryId", 7, "topN", -1, "topic", "quotes", "filter", "p < 5", "ackTypes", 2 + 8 + 16));
        assertNext("Ack", Map.of("commandId", commandId, "ackType", 1L));
        assertNext("TopicEntry", Map.of("name", "quotes", "format", "json"));
        final Parsed begin = assertNext("GroupBegin", Map.of("commandId", commandId, "queryId", 7L, "shard", 0L));
        assertRecord(7, 1, "{\"s\":\"A\",\"p\":2,\"q\":5}", "")
                .containsEntry("type", 5L)
                .containsEntry("sequence", begin.fields().get("sequence"));
        assertNext("GroupEnd", Map.of("commandId", commandId, "topicMatches", 2L, "matches", 1L, "returned", 1L));
        assertNext("Ack", Map.of("commandId", commandId, "ackType", 3L));
        assertNext("Ack", Map.of("ackType", 4L, "topicMatches", 2L, "matches", 1L, "returned", 1L));
    }

    @Test
    void shouldSendTheStateAndThenWhatChanges() throws IOException {
        publish("{\"s\":\"A\",\"p\":1}");
        subscribe(SOW | OOF | DELTA, Map.of("filter", "p < 5", "topN", -1));
        assertNext("Ack", Map.of("commandId", commandId, "ackType", 1L));
        assertNext("TopicEntry", Map.of("name", "quotes"));
        assertNext("GroupBegin", Map.of("commandId", commandId, "queryId", 77L));
        assertRecord(77, 1, "{\"s\":\"A\",\"p\":1}", "");
        assertNext("GroupEnd", Map.of("commandId", commandId, "returned", 1L));

        publish("{\"s\":\"A\",\"p\":2}");
        assertRecord(77, 2, "{\"s\":\"A\",\"p\":2}", "");
        publish("{\"s\":\"B\",\"p\":3}");
        assertRecord(77, 0, "{\"s\":\"B\",\"p\":3}", "").containsEntry("type", 1L);
        publish("{\"s\":\"B\",\"p\":8}");
        assertRecord(77, 3, "{\"s\":\"B\",\"p\":8}", "");

        send("SowDelete", Map.of("topic", "quotes", "keys", "{\"s\":\"A\"}\n{\"s\":\"nobody\"}", "ackTypes", STATS));
        final Map<String, Parsed> both = new TreeMap<>();
        for (int i = 0; i < 2; i++) {
            final Parsed next = receive();
            both.put(next.name(), next);
        }
        assertThat(both.get("Ack").fields()).containsEntry("matches", 2L).containsEntry("returned", 1L);
        assertThat(both.get("Deliver").fields()).containsEntry("kind", 4L);
        assertThat(protocol.records(both.get("Deliver").rest()).get(0))
                .containsEntry("type", 4L)
                .containsEntry("payload", "{\"s\":\"A\",\"p\":2}");
    }

    @Test
    void shouldGiveKeysAndExpirationsOfPublishers() throws IOException {
        send("DeclareTopic", Map.of("ackTypes", PROCESSED, "topic", "blobs", "format", "binary", "key", "*"));
        assertNext("Ack", Map.of("commandId", commandId));
        subscribe(OOF, Map.of("topic", "blobs"));
        assertNext("Ack", Map.of("commandId", commandId));
        send("PublishState", Map.of("topic", "blobs", "key", "k1", "payload", "one"));
        assertNext("TopicEntry", Map.of("name", "blobs"));
        assertRecord(77, 0, "one", "k1").containsEntry("flags", 1L);
        send("PublishState", Map.of("topic", "blobs", "key", "k1", "payload", "two", "expirationMs", 60_000));
        final Parsed deliver = assertNext("Deliver", Map.of("kind", 0L));
        assertThat(protocol.records(deliver.rest()).get(0))
                .containsEntry("flags", 3L)
                .containsEntry("trailerLength", 10L)
                .containsEntry("payload", "two");

        send("PublishState", Map.of("topic", "blobs", "key", "k1", "payload", "gone", "expirationMs", 1));
        assertRecordOfKind(0);
        assertThat(assertRecordOfKind(5)).containsEntry("payload", "gone").containsEntry("flags", 1L | 4L);
    }

    @Test
    void shouldReplaceASubscription() throws IOException {
        subscribe(0, Map.of("filter", "p < 5"));
        assertNext("Ack", Map.of("commandId", commandId));
        subscribe(REPLACE, Map.of("filter", "p > 5"));
        assertNext("Ack", Map.of("commandId", commandId));
        publish("{\"s\":\"A\",\"p\":1}");
        publish("{\"s\":\"A\",\"p\":8}");
        assertNext("TopicEntry", Map.of("name", "quotes"));
        assertRecord(77, 0, "{\"s\":\"A\",\"p\":8}", "");
    }

    @Test
    void shouldEndAQueryOnCommand() throws IOException {
        // Nothing is sent of it: the end may come before the answer or after.
        send("Sow", Map.of("queryId", 7, "topN", 0, "topic", "quotes", "ackTypes", COMPLETED));
        final long sow = commandId;
        assertNext("TopicEntry", Map.of());
        assertNext("GroupBegin", Map.of("commandId", sow));
        assertNext("GroupEnd", Map.of("commandId", sow, "returned", 0L));
        assertNext("Ack", Map.of("commandId", sow, "ackType", 3L));
        send("Unsubscribe", Map.of("subscriptionId", 7, "ackTypes", PROCESSED));
        assertError(ErrorCode.UNKNOWN_SUBSCRIPTION, 7);
    }

    @Test
    void shouldRefuseWhatTheDocumentSays() throws IOException {
        publish("{\"p\":1}");
        assertError(ErrorCode.BAD_KEY, 0);
        send("DeclareTopic", Map.of("topic", "quotes", "format", "json", "key", "p"));
        assertError(ErrorCode.BAD_KEY, 0);
        send("DeclareTopic", Map.of("topic", "plain", "format", "json"));
        send("Sow", Map.of("queryId", 7, "topN", -1, "topic", "plain"));
        assertError(ErrorCode.NO_STATE, 0);
        send("Sow", Map.of("queryId", 7, "topN", -2, "topic", "quotes"));
        assertError(ErrorCode.BAD_QUERY, 0);
        send("SowDelete", Map.of("topic", "quotes"));
        assertError(ErrorCode.BAD_QUERY, 0);
        subscribe(OOF | 1, Map.of("topic", "q.*"));
        assertError(ErrorCode.NOT_SUPPORTED, 77);
    }

    private void publish(final String payload) throws IOException {
        send("Publish", Map.of("topic", "quotes", "payload", payload));
    }

    private void subscribe(final long options, final Map<String, Object> more) throws IOException {
        final Map<String, Object> fields = new TreeMap<>(
                Map.of("subscriptionId", 77, "options", options, "ackTypes", PROCESSED, "topic", "quotes"));
        fields.putAll(more);
        send("Subscribe", fields);
    }

    private void send(final String message, final Map<String, Object> fields) throws IOException {
        final Map<String, Object> all = new TreeMap<>(fields);
        all.put("commandId", ++commandId);
        socket.getOutputStream().write(protocol.frame(message, all));
    }

    private Parsed assertNext(final String name, final Map<String, Object> fields) throws IOException {
        final Parsed next = receive();
        assertThat(next.name()).as(next.toString()).isEqualTo(name);
        assertThat(next.fields()).containsAllEntriesOf(fields);
        return next;
    }

    private org.assertj.core.api.MapAssert<String, Object> assertRecord(
            final long subscriptionId, final long kind, final String payload, final String key) throws IOException {
        final Parsed deliver = assertNext("Deliver", Map.of("subscriptionId", subscriptionId, "kind", kind));
        final var records = protocol.records(deliver.rest());
        assertThat(records).hasSize(1);
        return assertThat(records.get(0)).containsEntry("payload", payload).containsEntry("trailer", key);
    }

    private Map<String, Object> assertRecordOfKind(final long kind) throws IOException {
        return protocol.records(assertNext("Deliver", Map.of("kind", kind)).rest())
                .get(0);
    }

    private void assertError(final ErrorCode code, final long subscriptionId) throws IOException {
        assertNext(
                "Error",
                Map.of(
                        "commandId",
                        commandId,
                        "subscriptionId",
                        subscriptionId,
                        "code",
                        (long) code.code(),
                        "name",
                        code.name()));
    }

    /** The next frame that is no heartbeat. */
    private Parsed receive() throws IOException {
        final DataInputStream in = new DataInputStream(socket.getInputStream());
        while (true) {
            final byte[] frame = new byte[Integer.reverseBytes(in.readInt())];
            in.readFully(frame);
            final Parsed parsed = protocol.parse(frame);
            if (!parsed.name().equals("Heartbeat")) {
                return parsed;
            }
        }
    }
}
