package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.LogonEncoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.SowEncoder;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries of pairs as frames: no broker and no client takes one for a query of a single topic. */
@Timeout(60)
class JoinFrameTest {
    private TestBroker test;

    /** Such as begin and end an answer. */
    private int answerFrames;

    @BeforeEach
    void start() {
        test = new TestBroker(builder -> builder.topic(TopicConfig.keyed("orders", "json", "id")));
    }

    @AfterEach
    void close() {
        test.close();
    }

    private RawClient logOn(final int version) {
        final RawClient client = test.connect();
        client.onOther = frame -> answerFrames++;
        final UnsafeBuffer logon = new UnsafeBuffer(new byte[256]);
        final LogonEncoder encoder = new LogonEncoder();
        encoder.wrapAndApplyHeader(logon, 0, new MessageHeaderEncoder())
                .commandId(1)
                .heartbeatIntervalMs(0)
                .clientName("")
                .user("")
                .password("");
        if (version >= 3) {
            encoder.mechanism("").putToken(new byte[0], 0, 0);
        }
        send(client, logon, encoder.limit(), version);
        test.await(() -> client.events.contains("logonAck"));
        return client;
    }

    private static void send(final RawClient client, final UnsafeBuffer frame, final int length, final int version) {
        new MessageHeaderEncoder().wrap(frame, 0).version(version);
        assertThat(client.send(Arrays.copyOf(frame.byteArray(), length))).isTrue();
    }

    private void query(final RawClient client, final int version, final boolean hasOption, final String join) {
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
        encoder.options().clear().join(hasOption);
        encoder.ackTypes().clear();
        encoder.topic("orders")
                .filter("")
                .orderBy("")
                .selection("/orders/id")
                .groupBy("")
                .having("")
                .keys("")
                .asOfBookmark("");
        if (version >= 3) {
            encoder.join(join);
        }
        send(client, frame, encoder.limit(), version);
        test.settle();
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void shouldRefuseAJoinOfAClientThatCannotSayIt(final int version) {
        final RawClient client = logOn(version);
        query(client, version, true, "");

        assertThat(client.errors).containsExactly(ErrorCode.NOT_SUPPORTED);
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void shouldAnswerAQueryOfAClientThatKnowsNoJoins(final int version) {
        final RawClient client = logOn(version);
        query(client, version, false, "");

        assertThat(client.errors).isEmpty();
        assertThat(answerFrames).isEqualTo(2);
    }

    @Test
    void shouldRefuseTheOptionWithoutTheTextAndTheTextWithoutTheOption() {
        final RawClient client = logOn(3);
        query(client, 3, true, " ");
        query(client, 3, false, "JOIN orders AS o ON /orders/id = /o/id");
        query(client, 3, true, "JOIN orders AS o ON /orders/id = /o/id");

        assertThat(client.errors).containsExactly(ErrorCode.BAD_QUERY, ErrorCode.BAD_QUERY);
        assertThat(answerFrames)
                .as("of the last query: both topics, and the end")
                .isEqualTo(3);
        assertThat(client.errorTexts.get(0)).contains("join: the option and the text are not both there");
    }
}
