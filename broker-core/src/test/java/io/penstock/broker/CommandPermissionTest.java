package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.Permissions;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRequest;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.DeclareTopicDecoder;
import io.penstock.protocol.codec.DeleteTopicDecoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.OpenSinkEncoder;
import io.penstock.protocol.codec.PublishStateEncoder;
import io.penstock.protocol.codec.SowDeleteEncoder;
import io.penstock.protocol.codec.SowEncoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command of the protocol passes the gate. A new one has to get its row here. */
class CommandPermissionTest {
    private static final Path PROTOCOL = Path.of("../broker-client/src/main/sbe/penstock.xml");
    private static final Pattern MESSAGE = Pattern.compile("<sbe:message name=\"(\\w+)\" id=\"(\\d+)\"");
    private static final int FIRST_OF_BROKER = 101;
    private static final MessageHeaderEncoder HEADER = new MessageHeaderEncoder();

    /** Commands about the connection itself, or about what the client has begun by one that passed the gate. */
    private static final Set<String> OF_ITS_OWN = Set.of(
            "Logon",
            "AuthResponse",
            "Heartbeat",
            "Flush",
            "Unsubscribe",
            "Pace",
            "OfferBlock",
            "BlockData",
            "CloseSink");

    /** The same command as a client without the right sends it. */
    private static final Map<String, Consumer<RawClient>> GUARDED = Map.ofEntries(
            Map.entry("Publish", client -> client.publish(9, "t", "{\"id\":1}")),
            Map.entry("PublishState", CommandPermissionTest::publishState),
            Map.entry("Subscribe", client -> client.subscribe(9, 7, "t", "")),
            Map.entry(
                    "SubscribeFrom",
                    client ->
                            client.subscribeFrom(9, 7, ReplayRequest.topic("t").from(LogPlace.BEGINNING))),
            Map.entry("Sow", CommandPermissionTest::sow),
            Map.entry("SowDelete", CommandPermissionTest::sowDelete),
            Map.entry("Stat", client -> client.stat(9, "")),
            Map.entry("Topics", client -> client.topics(9, "")),
            Map.entry("DeclareTopic", client -> client.declareTopic(9, "new", "json")),
            Map.entry("OpenSink", CommandPermissionTest::openSink),
            Map.entry("ResetPublisher", client -> client.resetPublisher(9, "t", "anonymous", 1)),
            Map.entry("DeleteTopic", client -> client.deleteTopic(9, "t")));

    static Set<String> guarded() {
        return new TreeSet<>(GUARDED.keySet());
    }

    @Test
    void shouldHaveARowForEachCommandOfTheProtocol() throws IOException {
        final Set<String> commands = new TreeSet<>();
        final Matcher message = MESSAGE.matcher(Files.readString(PROTOCOL));
        while (message.find()) {
            if (Integer.parseInt(message.group(2)) < FIRST_OF_BROKER) {
                commands.add(message.group(1));
            }
        }
        final Map<String, Boolean> rows = new TreeMap<>();
        GUARDED.keySet().forEach(name -> rows.put(name, true));
        OF_ITS_OWN.forEach(name -> rows.put(name, false));

        assertThat(rows.keySet()).isEqualTo(commands);
        assertThat(DeclareTopicDecoder.TEMPLATE_ID).isLessThan(FIRST_OF_BROKER);
        assertThat(DeleteTopicDecoder.TEMPLATE_ID).isLessThan(FIRST_OF_BROKER);
    }

    @ParameterizedTest
    @MethodSource("guarded")
    void shouldRefuseTheCommandWhenNoRuleAllowsIt(final String name) {
        // The names of user and client are those of topics and of what rules may say: they give no right.
        final Permissions permissions = GuardedBroker.traders(GuardedBroker.allow("deliver", "z", ""));
        try (TestBroker test =
                GuardedBroker.start(permissions, builder -> builder.topic(TopicConfig.keyed("t", "json", "id")))) {
            final RawClient client = test.connect();
            client.logon("*", "trader-t", 0);
            test.await(() -> client.events.contains("logonAck"));
            GUARDED.get(name).accept(client);
            test.settle();

            assertThat(client.errors).containsExactly(ErrorCode.NOT_AUTHORIZED);
            assertThat(client.deliveries).isEmpty();
            assertThat(client.topicFormats).isEmpty();
            assertThat(client.stats).isEmpty();
            assertThat(test.broker.counter("messages")).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("guarded")
    void shouldTakeTheCommandWhenARuleAllowsIt(final String name) {
        final Permissions permissions = GuardedBroker.traders(GuardedBroker.allow("all", "*", ""));
        try (TestBroker test =
                GuardedBroker.start(permissions, builder -> builder.topic(TopicConfig.keyed("t", "json", "id")))) {
            final RawClient client = test.connect();
            client.logon("c", "trader-t", 0);
            test.await(() -> client.events.contains("logonAck"));
            client.onOther = frame -> {};
            GUARDED.get(name).accept(client);
            test.settle();

            assertThat(client.errors).doesNotContain(ErrorCode.NOT_AUTHORIZED);
            assertThat(client.fatalErrors).isEmpty();
        }
    }

    private static void publishState(final RawClient client) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
        final PublishStateEncoder encoder = new PublishStateEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, HEADER)
                .commandId(9)
                .publisherSequence(0)
                .expirationMs(0)
                .headersLength(0);
        encoder.ackTypes().clear();
        encoder.options().clear();
        final byte[] message = "{\"id\":1}".getBytes(UTF_8);
        encoder.topic("t").key("").putPayload(message, 0, message.length);
        send(client, buffer, encoder.limit());
    }

    private static void sow(final RawClient client) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
        final SowEncoder encoder = new SowEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, HEADER)
                .commandId(9)
                .queryId(7)
                .topN(-1)
                .skipN(0)
                .batchSize(0)
                .timeoutMs(0)
                .progressMs(0)
                .asOfTimeNs(0);
        encoder.options().clear();
        encoder.ackTypes().clear();
        encoder.topic("t")
                .filter("")
                .orderBy("")
                .selection("")
                .groupBy("")
                .having("")
                .keys("")
                .asOfBookmark("")
                .join("");
        send(client, buffer, encoder.limit());
    }

    private static void sowDelete(final RawClient client) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
        final SowDeleteEncoder encoder = new SowDeleteEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, HEADER).commandId(9);
        encoder.ackTypes().clear();
        encoder.topic("t").filter("").keys("{\"id\":1}");
        send(client, buffer, encoder.limit());
    }

    private static void openSink(final RawClient client) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
        final OpenSinkEncoder encoder = new OpenSinkEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, HEADER).commandId(9).writerId(1).memoryLength(0);
        encoder.sink("s").producer("p").memoryKey("");
        send(client, buffer, encoder.limit());
    }

    private static void send(final RawClient client, final UnsafeBuffer buffer, final int length) {
        final byte[] frame = new byte[length];
        buffer.getBytes(0, frame);
        assertThat(client.send(frame)).isTrue();
    }
}
