package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.RawInbox.Delivery;
import io.penstock.client.ReplayRate;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.PaceAction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lagging subscription that is replaced, and its replacement. */
class ReplaceTest {
    private static final int COUNT = 300;

    @TempDir
    Path directory;

    @Test
    void shouldSendFirstWhatAPausedOneLacksWhenItIsReplaced() {
        try (TestBroker test = new TestBroker()) {
            final RawClient publisher = test.logOn("publisher");
            final RawClient subscriber = paused(test, publisher);
            subscriber.replace(10, 7, "t", "n >= 310", false);
            test.settle();
            assertThat(numbers(subscriber)).isEqualTo(range(0, COUNT));
            publish(test, publisher, COUNT, COUNT + 20);
            test.settle();

            assertThat(numbers(subscriber).subList(COUNT, COUNT + 10)).isEqualTo(range(310, 320));
            assertThat(test.broker.counter("cursors")).isZero();
            leave(test, subscriber);
        }
    }

    @Test
    void shouldHoldUpBothWhenItIsPausedBeforeTheNewOneHasBegun() {
        try (TestBroker test = new TestBroker()) {
            final RawClient publisher = test.logOn("publisher");
            final RawClient subscriber = paused(test, publisher);
            subscriber.replace(10, 7, "t", "", false);
            subscriber.pace(11, 7, PaceAction.PAUSE, ReplayRate.UNLIMITED);
            publish(test, publisher, COUNT, COUNT + 20);
            test.settle();
            assertThat(numbers(subscriber)).hasSizeLessThan(COUNT);
            subscriber.pace(12, 7, PaceAction.RESUME, ReplayRate.UNLIMITED);
            test.settle();

            assertThat(numbers(subscriber)).isEqualTo(range(0, COUNT + 20));
            leave(test, subscriber);
        }
    }

    @Test
    void shouldRefuseToReplaceAgainWhenTooManyWait() {
        try (TestBroker test = new TestBroker()) {
            final RawClient publisher = test.logOn("publisher");
            final RawClient subscriber = paused(test, publisher);
            for (int i = 0; i < 20; i++) {
                replace(test, subscriber, 10 + i);
                publish(test, publisher, COUNT + i, COUNT + i + 1);
            }
            subscriber.pace(5, 7, PaceAction.RESUME, ReplayRate.UNLIMITED);
            test.settle();

            assertThat(subscriber.errors).containsOnly(ErrorCode.LIMIT_REACHED).hasSize(20 - 16);
            assertThat(numbers(subscriber)).isEqualTo(range(0, COUNT + 20));
            leave(test, subscriber);
        }
    }

    @Test
    void shouldLeaveNothingWhenItIsUnsubscribedBeforeTheNewOneHasBegun() {
        try (TestBroker test = new TestBroker()) {
            final RawClient publisher = test.logOn("publisher");
            final RawClient subscriber = paused(test, publisher);
            replace(test, subscriber, 10);
            replace(test, subscriber, 11);
            subscriber.unsubscribe(12, 7);
            test.awaitAck(subscriber, 12);
            test.settle();
            final int count = subscriber.deliveries.size();
            publish(test, publisher, COUNT, COUNT + 20);
            test.settle();

            assertThat(subscriber.deliveries).hasSize(count);
            assertThat(test.broker.counter("subscriptions")).isZero();
            assertThat(test.broker.counter("cursors")).isZero();
            leave(test, subscriber);
        }
    }

    @Test
    void shouldLeaveNothingWhenItsClientGoesBeforeTheNewOneHasBegun() {
        try (TestBroker test = new TestBroker()) {
            final RawClient publisher = test.logOn("publisher");
            final RawClient subscriber = paused(test, publisher);
            replace(test, subscriber, 10);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldSendFirstWhatTheOldOneLacksInAnotherShard() {
        try (TestBroker test = new TestBroker(builder -> builder.shardCount(3)
                .topic(new TopicConfig("t", false, "json", 0))
                .topic(new TopicConfig("u", false, "json", 1)))) {
            final RawClient publisher = test.logOn("publisher");
            final RawClient subscriber = paused(test, publisher);
            subscriber.replace(10, 7, "u", "", false);
            test.settle();
            publish(test, publisher, COUNT, COUNT + 20);
            test.publish(publisher, "u", "{\"n\":-1}");
            test.settle();

            assertThat(numbers(subscriber))
                    .containsSubsequence(range(0, COUNT))
                    .hasSize(COUNT + 1)
                    .contains(-1);
            leave(test, subscriber);
        }
    }

    @Test
    void shouldReadTheFilesForWhatTheOldOneLacks() {
        try (TestBroker test = new TestBroker(builder -> builder.window(new WindowConfig(16 * 1024, 3))
                .sessions(TestBroker.sessions(1024, 7 * 1024))
                .journal(JournalConfig.in(directory.toString())))) {
            final RawClient publisher = test.logOn("publisher");
            final RawClient subscriber = paused(test, publisher);
            publish(test, publisher, COUNT, 6_000);
            test.flush(publisher);
            subscriber.replace(10, 7, "t", "n >= 6010", false);
            test.awaitAck(subscriber, 10);
            publish(test, publisher, 6_000, 6_020);
            test.settle();

            assertThat(subscriber.errors).isEmpty();
            assertThat(test.broker.counter("fileBytesRead")).isPositive();
            assertThat(numbers(subscriber).subList(0, 6_000)).isEqualTo(range(0, 6_000));
            assertThat(numbers(subscriber).subList(6_000, numbers(subscriber).size()))
                    .isEqualTo(range(6_010, 6_020));
            leave(test, subscriber);
        }
    }

    @Test
    void shouldEndWhenWhatTheOldOneLacksHasLeftTheWindow() {
        try (TestBroker test = new TestBroker(builder ->
                builder.window(new WindowConfig(16 * 1024, 3)).sessions(TestBroker.sessions(1024, 7 * 1024)))) {
            final RawClient publisher = test.logOn("publisher");
            final RawClient subscriber = paused(test, publisher);
            publish(test, publisher, COUNT, 6_000);
            test.flush(publisher);
            subscriber.replace(10, 7, "t", "", false);
            publish(test, publisher, 6_000, 6_020);
            test.settle();

            assertThat(subscriber.errors).containsExactly(ErrorCode.FELL_BEHIND);
            assertThat(numbers(subscriber))
                    .isEqualTo(range(0, numbers(subscriber).size()));
            leave(test, subscriber);
        }
    }

    @Test
    void shouldCompleteAReplayThatIsReplaced() {
        try (TestBroker test = new TestBroker()) {
            final RawClient publisher = test.logOn("publisher");
            publish(test, publisher, 0, COUNT);
            test.flush(publisher);
            final RawClient subscriber = test.logOn("subscriber");
            subscriber.subscribeFrom(2, 7, ReplayRequest.topic("t").rate(ReplayRate.messages(1)));
            test.awaitAck(subscriber, 2);
            subscriber.replace(10, 7, "t", "n >= 310", false);
            test.settle();
            publish(test, publisher, COUNT, COUNT + 20);
            test.settle();

            assertThat(subscriber.events).contains("ack 2 COMPLETED");
            assertThat(numbers(subscriber))
                    .startsWith(range(0, COUNT).toArray(Integer[]::new))
                    .hasSize(COUNT + 10);
            leave(test, subscriber);
        }
    }

    @Test
    void shouldSendAFollowersLastChangesWhenItIsReplaced() {
        try (TestBroker test = new TestBroker(builder -> builder.topic(TopicConfig.keyed("quotes", "json", "s")))) {
            final StateClient client = new StateClient(test);
            client.subscribe(
                    1, SubscribeRequest.topic("quotes").filter("p < 5").oof().conflation(Duration.ofSeconds(1)));
            client.publish("quotes", "{\"s\":\"A\",\"p\":1}");
            client.publish("quotes", "{\"s\":\"A\",\"p\":2}");
            client.flush();
            client.replace(1, SubscribeRequest.topic("quotes").filter("p > 5").oof());
            test.settle();
            client.publish("quotes", "{\"s\":\"A\",\"p\":7}");
            client.publish("quotes", "{\"s\":\"A\",\"p\":3}");
            client.flush();

            // At the point of the replacement, not at the end of the interval.
            assertThat(client.take())
                    .containsExactly(
                            "1 MESSAGE {\"s\":\"A\",\"p\":2}",
                            "1 MESSAGE {\"s\":\"A\",\"p\":7}",
                            "1 OOF_MATCH {\"s\":\"A\",\"p\":3}");
            client.close();
            test.assertNothingLeaked();
        }
    }

    /** A client whose subscription is paused, and lacks messages. */
    private static RawClient paused(final TestBroker test, final RawClient publisher) {
        final RawClient subscriber = test.logOn("subscriber");
        subscriber.subscribe(2, 7, "t", "");
        test.awaitAck(subscriber, 2);
        subscriber.pace(3, 7, PaceAction.PAUSE, ReplayRate.UNLIMITED);
        test.awaitAck(subscriber, 3);
        publish(test, publisher, 0, COUNT);
        test.settle();
        return subscriber;
    }

    /** Replaces what is paused with something that is paused before it goes on. */
    private static void replace(final TestBroker test, final RawClient subscriber, final long commandId) {
        subscriber.replace(commandId, 7, "t", "", false);
        subscriber.pace(1_000 + commandId, 7, PaceAction.PAUSE, ReplayRate.UNLIMITED);
        test.awaitAck(subscriber, 1_000 + commandId);
    }

    private static void publish(final TestBroker test, final RawClient publisher, final int from, final int to) {
        for (int i = from; i < to; i++) {
            test.publish(publisher, "t", "{\"n\":" + i + ",\"pad\":\"" + "x".repeat(50) + "\"}");
        }
        test.flush(publisher);
    }

    private static void leave(final TestBroker test, final RawClient subscriber) {
        subscriber.disconnect();
        test.assertNothingLeaked();
    }

    private static List<Integer> numbers(final RawClient subscriber) {
        final List<Integer> numbers = new ArrayList<>();
        for (final Delivery delivery : subscriber.deliveries) {
            numbers.add(Integer.valueOf(delivery.text().split("[:,}]", -1)[1]));
        }
        return numbers;
    }

    private static List<Integer> range(final int from, final int to) {
        return IntStream.range(from, to).boxed().toList();
    }
}
