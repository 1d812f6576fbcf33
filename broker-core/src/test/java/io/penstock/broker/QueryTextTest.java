package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.SowRequest;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.SowEncoder;
import io.penstock.protocol.codec.SubscribeEncoder;
import io.penstock.protocol.codec.SubscribeFromEncoder;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of commands are UTF-8: each that is, is taken, and no other one. */
@Timeout(60)
class QueryTextTest {
    private static final List<String> TEXTS =
            List.of("topic", "filter", "orderBy", "selection", "groupBy", "having", "keys", "asOfBookmark", "join");

    private TestBroker test;

    @BeforeEach
    void start() {
        test = new TestBroker(builder -> builder.topic(TopicConfig.keyed("o", "json", "id")));
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void shouldTakeTheReplacementCharacterAsAnyOther() {
        final StateClient client = new StateClient(test);
        client.publish("o", "{\"id\":1,\"s\":\"\uFFFD\",\"\uFFFD\":2}");
        client.publish("o", "{\"id\":2,\"s\":\"?\",\"\uFFFD\":1}");
        client.flush();
        final SowRequest all = SowRequest.topic("o");

        assertThat(client.sow(all.filter("s = '\uFFFD'"))).hasSize(1);
        assertThat(client.sow(all.filter("s LIKE '\uFFFD%' OR \"\uFFFD\" = 1"))).hasSize(2);
        assertThat(client.sow(all.orderBy("\"\uFFFD\"").select("id"))).containsExactly("{\"id\":2}", "{\"id\":1}");
        assertThat(client.sow(all.groupBy("\"\uFFFD\"")
                        .select("\"\uFFFD\" AS \"\uFFFD\", COUNT(*) AS n")
                        .having("\"\uFFFD\" = 2 AND '\uFFFD' <> ''")))
                .containsExactly("{\"\\ufffd\":2,\"n\":1}");
        assertThat(client.sow(SowRequest.pattern("o|\uFFFD"))).hasSize(2);
        assertThat(client.errors).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "filter, BAD_FILTER",
        "having, BAD_FILTER",
        "orderBy, BAD_QUERY",
        "selection, BAD_QUERY",
        "groupBy, BAD_QUERY",
        "join, BAD_QUERY",
    })
    void shouldRefuseWhatIsNotUtf8InAQuery(final String text, final ErrorCode code) {
        final RawClient client = test.logOn("client");
        for (final String bytes : new String[] {"FF", "C3", "C0AF", "EDA080", "F5808080"}) {
            client.errors.clear();
            client.errorTexts.clear();
            query(
                    client,
                    text,
                    join("a\uFFFD\uD83D\uDE00".getBytes(UTF_8), HexFormat.of().parseHex(bytes)));

            assertThat(client.errors).as(bytes).containsExactly(code);
            assertThat(client.errorTexts.get(0)).as(bytes).contains(": not UTF-8 text at 4 (encode it as UTF-8)");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseWhatIsNotUtf8InASubscription(final boolean isReplay) {
        final RawClient client = test.logOn("client");
        final byte[] bad = join("\uFFFD = 1".getBytes(UTF_8), new byte[] {(byte) 0xFF});
        subscribe(client, isReplay, false, "o".getBytes(UTF_8), bad);
        subscribe(client, isReplay, true, bad, new byte[0]);
        subscribe(client, isReplay, false, bad, new byte[0]);
        subscribe(client, isReplay, false, "o".getBytes(UTF_8), "s = '\uFFFD'".getBytes(UTF_8));

        assertThat(client.errors.subList(0, 3))
                .containsExactly(ErrorCode.BAD_FILTER, ErrorCode.BAD_PATTERN, ErrorCode.BAD_TOPIC);
        assertThat(client.errorTexts.subList(0, 3)).allMatch(text -> text.contains("not UTF-8 text at 5"), "position");
        // Without a log there is no replay.
        assertThat(client.errors.subList(3, client.errors.size())).doesNotContain(ErrorCode.BAD_FILTER);
    }

    private static byte[] join(final byte[]... parts) {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (final byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private void query(final RawClient client, final String bad, final byte[] bytes) {
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[512]);
        final SowEncoder encoder = new SowEncoder();
        encoder.wrapAndApplyHeader(frame, 0, new MessageHeaderEncoder())
                .commandId(9)
                .queryId(7)
                .topN(-1)
                .skipN(0)
                .batchSize(0)
                .timeoutMs(0)
                .progressMs(0)
                .asOfTimeNs(0);
        encoder.options().clear().join(bad.equals("join"));
        encoder.ackTypes().clear();
        final byte[][] values = new byte[TEXTS.size()][0];
        values[TEXTS.indexOf("topic")] = "o".getBytes(UTF_8);
        values[TEXTS.indexOf(bad)] = bytes;
        encoder.putTopic(values[0], 0, values[0].length)
                .putFilter(values[1], 0, values[1].length)
                .putOrderBy(values[2], 0, values[2].length)
                .putSelection(values[3], 0, values[3].length)
                .putGroupBy(values[4], 0, values[4].length)
                .putHaving(values[5], 0, values[5].length)
                .putKeys(values[6], 0, values[6].length)
                .putAsOfBookmark(values[7], 0, values[7].length)
                .putJoin(values[8], 0, values[8].length);
        send(client, frame, encoder.limit());
    }

    private void subscribe(
            final RawClient client,
            final boolean isReplay,
            final boolean isPattern,
            final byte[] topic,
            final byte[] filter) {
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[512]);
        if (isReplay) {
            final SubscribeFromEncoder encoder = new SubscribeFromEncoder();
            encoder.wrapAndApplyHeader(frame, 0, new MessageHeaderEncoder())
                    .commandId(9)
                    .subscriptionId(7);
            encoder.options().topicPattern(isPattern);
            encoder.putTopic(topic, 0, topic.length)
                    .putFilter(filter, 0, filter.length)
                    .startBookmark("")
                    .endBookmark("");
            send(client, frame, encoder.limit());
        } else {
            final SubscribeEncoder encoder = new SubscribeEncoder();
            encoder.wrapAndApplyHeader(frame, 0, new MessageHeaderEncoder())
                    .commandId(9)
                    .subscriptionId(7);
            encoder.options().topicPattern(isPattern);
            encoder.putTopic(topic, 0, topic.length)
                    .putFilter(filter, 0, filter.length)
                    .orderBy("")
                    .selection("")
                    .conflationKey("");
            send(client, frame, encoder.limit());
        }
    }

    private void send(final RawClient client, final UnsafeBuffer frame, final int length) {
        assertThat(client.send(Arrays.copyOf(frame.byteArray(), length))).isTrue();
        test.settle();
    }
}
