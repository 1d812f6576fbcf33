package io.penstock.broker;

import static io.penstock.broker.QuotaScene.frame;
import static io.penstock.broker.QuotaScene.json;
import static io.penstock.broker.QuotaScene.logOn;
import static io.penstock.broker.QuotaScene.quotas;
import static io.penstock.broker.QuotaScene.security;
import static io.penstock.broker.QuotaScene.sendPart;
import static io.penstock.broker.QuotaScene.start;
import static io.penstock.broker.RawClient.ACK_PROCESSED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.protocol.ErrorCode;
import io.penstock.transport.TransportContext;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Publishers of a user that sends too much, or long messages at once, wait: for time, or for each other. */
@Timeout(60)
class IdentityRateTest {
    private static final byte[] MESSAGE = "{\"k\":1}".getBytes(UTF_8);

    @Test
    void shouldReadAPublisherLaterWhenItsUserPublishesTooOften() {
        try (TestBroker test = start(ThreadingMode.INVOKER, quotas("messagesPerSecondMax", 10))) {
            final RawClient one = logOn(test, "", "ann");
            final RawClient two = logOn(test, "", "ann");
            final RawClient other = logOn(test, "", "bob");
            for (int i = 0; i < 40; i++) {
                (i % 2 == 0 ? one : two).publish(100 + i, 0, ACK_PROCESSED, "t", MESSAGE);
                other.publish(100 + i, 0, ACK_PROCESSED, "other" + i % 2, MESSAGE);
            }
            test.settle();
            // A second's worth at once of each, and the one that empties the bucket.
            assertThat(test.broker.counter("messages")).isEqualTo(22);
            assertThat(test.broker.counter("readsOverRate")).isPositive();
            for (int i = 1; i <= 29; i++) {
                clockOn(test, 100);
                assertThat(test.broker.counter("messages"))
                        .as("after %d ms", 100 * i)
                        .isEqualTo(22 + 2 * i);
            }
            assertThat(one.errors).isEmpty();
            assertThat(two.errors).isEmpty();
        }
    }

    @Test
    void shouldReadAPublisherLaterWhenItsUserPublishesTooMuch() {
        try (TestBroker test = start(ThreadingMode.INVOKER, quotas("bytesPerSecondMax", 10_000))) {
            final RawClient client = logOn(test, "", "ann");
            client.publish(2, 0, ACK_PROCESSED, "t", json(15_000));
            client.publish(3, 0, ACK_PROCESSED, "t", MESSAGE);
            client.subscribe(4, 1, "t", "");
            test.settle();
            assertThat(client.acks).containsKey(2L).doesNotContainKey(3L).doesNotContainKey(4L);
            clockOn(test, 490);
            assertThat(client.acks).doesNotContainKey(3L);
            clockOn(test, 30);
            assertThat(client.acks).containsKeys(3L, 4L);
        }
    }

    @Test
    void shouldNotBeCheaperForAPublisherToConnectAnew() {
        try (TestBroker test = start(ThreadingMode.INVOKER, quotas("messagesPerSecondMax", 5))) {
            for (int i = 0; i < 5; i++) {
                final RawClient client = logOn(test, "", "ann");
                for (int j = 0; j < 5; j++) {
                    client.publish(100 + j, 0, ACK_PROCESSED, "t", MESSAGE);
                }
                test.settle();
                client.disconnect();
                test.settle();
            }
            assertThat(test.broker.counter("messages")).isEqualTo(6);
        }
    }

    @Test
    void shouldKeepASessionThatIsHeldBackForLongerThanItsHeartbeats() {
        try (TestBroker test = start(ThreadingMode.INVOKER, quotas("bytesPerSecondMax", 100))) {
            final RawClient client = logOn(test, "", "ann");
            client.publish(2, 0, ACK_PROCESSED, "t", json(6_000));
            client.publish(3, 0, ACK_PROCESSED, "t", MESSAGE);
            test.settle();
            for (int i = 0; i < 58; i++) {
                client.heartbeat();
                clockOn(test, 1_000);
            }
            assertThat(client.acks).doesNotContainKey(3L);
            assertThat(client.disconnected).isFalse();
            clockOn(test, 4_000);
            assertThat(client.acks).containsKey(3L);
        }
    }

    @Test
    void shouldLetLongFramesOfAUserWaitForEachOther() {
        final SessionConfig sessions = new SessionConfig(64, 64, 1 << 20, 64, 64, 1024, 64, 1 << 24, 10_000, 1_000);
        try (TestBroker test = new TestBroker(builder -> builder.security(security())
                .inboxLength(4 << 20)
                .window(new WindowConfig(8 << 20, 4))
                .sessions(sessions)
                .quotas(QuotaConfig.defaults().withPerIdentity(quotas("stagingLengthMax", 512 * 1024))))) {
            final byte[] frame = frame(test, 400_000);
            final RawClient one = logOn(test, "", "ann");
            final RawClient two = logOn(test, "", "ann");
            final RawClient other = logOn(test, "", "bob");
            int sent = start(one, frame);
            test.settle();
            other.publish(2, 0, ACK_PROCESSED, "t", json(400_000));
            test.settle();
            assertThat(other.acks).containsKey(2L);
            final long refused = test.broker.counter("readsRefused");
            int sentByTwo = start(two, frame);
            test.settle();
            assertThat(test.broker.counter("readsRefused")).isGreaterThan(refused);
            for (int i = 0; i < 1_000 && sentByTwo < frame.length; i++) {
                sentByTwo += sendPart(two, frame, sentByTwo) ? TransportContext.FRAGMENT_LENGTH_MIN : 0;
                test.cycle();
            }
            assertThat(two.acks).isEmpty();
            for (; sent < frame.length; sent += TransportContext.FRAGMENT_LENGTH_MIN) {
                while (!sendPart(one, frame, sent)) {
                    test.cycle();
                }
            }
            test.awaitAck(one, 9);
            while (two.acks.isEmpty()) {
                if (sentByTwo < frame.length && sendPart(two, frame, sentByTwo)) {
                    sentByTwo += TransportContext.FRAGMENT_LENGTH_MIN;
                }
                test.cycle();
            }
            // One that is longer than the bound finds room when it is alone.
            one.publish(10, 0, ACK_PROCESSED, "t", json(900_000));
            test.awaitAck(one, 10);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldTakeTheRoomOfThoseOfItsUserThatHaveStalledWhenItsBoundHasNoMore() {
        try (TestBroker test = startStaging(512 * 1024)) {
            final byte[] frame = frame(test, 400_000);
            final RawClient stalled = logOn(test, "", "ann");
            final RawClient waiting = logOn(test, "", "ann");
            final RawClient other = logOn(test, "", "bob");
            start(stalled, frame);
            start(other, frame);
            test.settle();
            int sent = start(waiting, frame);
            test.settle();
            assertThat(stalled.errors).isEmpty();
            test.advance(3_000);
            assertThat(stalled.fatalErrors).containsExactly(ErrorCode.TIMED_OUT);
            assertThat(stalled.disconnected).isTrue();
            // There was room enough for others.
            assertThat(other.errors).isEmpty();
            for (; sent < frame.length; sent += TransportContext.FRAGMENT_LENGTH_MIN) {
                while (!sendPart(waiting, frame, sent)) {
                    test.cycle();
                }
            }
            test.awaitAck(waiting, 9);
            assertThat(test.broker.counter("stalledFrames")).isEqualTo(1);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldLeaveTheStalledAloneWhenTheirRoomIsNotEnoughForTheBoundOfTheirUser() {
        try (TestBroker test = startStaging(512 * 1024)) {
            final byte[] half = frame(test, 200_000);
            final byte[] quarter = frame(test, 100_000);
            final byte[] whole = frame(test, 400_000);
            final RawClient stalled = logOn(test, "", "ann");
            final RawClient going = logOn(test, "", "ann");
            final RawClient waiting = logOn(test, "", "ann");
            start(stalled, quarter);
            int sent = start(going, half);
            test.settle();
            start(waiting, whole);
            test.settle();
            for (int i = 0; i < 2; i++) {
                test.advance(900);
                sendPart(going, half, sent);
                sent += TransportContext.FRAGMENT_LENGTH_MIN;
                test.settle();
            }
            test.advance(300);
            assertThat(stalled.errors).isEmpty();

            // The last part ends what goes on: now it is enough.
            sendPart(going, half, sent);
            test.awaitAck(going, 9);
            test.advance(300);
            assertThat(stalled.fatalErrors).containsExactly(ErrorCode.TIMED_OUT);
            waiting.disconnect();
            test.assertNothingLeaked();
        }
    }

    private static TestBroker startStaging(final long lengthMax) {
        return new TestBroker(builder -> builder.security(security())
                .inboxLength(4 << 20)
                .window(new WindowConfig(8 << 20, 4))
                .sessions(new SessionConfig(64, 64, 1 << 20, 64, 64, 1024, 64, 1 << 24, 10_000, 1_000, 1_000))
                .quotas(QuotaConfig.defaults().withPerIdentity(quotas("stagingLengthMax", lengthMax))));
    }

    private static void clockOn(final TestBroker test, final long ms) {
        test.clock.advance(TimeUnit.MILLISECONDS.toNanos(ms));
        test.settle();
    }
}
