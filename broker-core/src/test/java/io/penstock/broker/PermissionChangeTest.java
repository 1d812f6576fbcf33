package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static io.penstock.broker.GuardedBroker.traders;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.penstock.broker.security.Permissions;
import io.penstock.client.BrokerError;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A change of the permissions holds for what clients have begun, wherever it waits, and for nobody else. */
@Timeout(60)
class PermissionChangeTest {
    private static final Permissions ALL = traders(allow("all", "*", ""));
    private static final Permissions BY_DESK =
            traders(allow("list create stat", "*", ""), allow("read write", "*", "desk = 'E'"));
    private static final Permissions NOTHING_TO_READ = traders(allow("list", "*", ""));
    private static final String E1 = "{\"id\":1,\"desk\":\"E\"}";
    private static final String W2 = "{\"id\":2,\"desk\":\"W\"}";

    @TempDir
    Path directory;

    private TestBroker test;
    private StateClient root;
    private StateClient trader;

    @BeforeEach
    void start() {
        test = GuardedBroker.start(
                ALL,
                builder -> builder.journal(JournalConfig.in(directory.toString())
                                .withFileLength(64 * 1024)
                                .withSnapshots(0, 0))
                        .topic(TopicConfig.keyed("o", "json", "id")));
        root = new StateClient(test, "root");
        trader = new StateClient(test, "trader-E");
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void shouldSendNothingMoreThatMayNotBeSeenWhereverItWaits() {
        root.publish("o", E1);
        root.publish("o", W2);
        root.flush();
        trader.paused = true;
        trader.offer(() -> trader.session.offerSubscribe(1, SubscribeRequest.topic("o")));
        trader.offer(() -> trader.session.offerSubscribe(
                2, SubscribeRequest.topic("o").sow().oof()));
        trader.offer(() ->
                trader.session.offerSubscribe(3, SubscribeRequest.topic("o").conflation(Duration.ofMillis(50))));
        trader.offer(() -> trader.session.offerSubscribe(4, SubscribeRequest.pattern(".*")));
        trader.offer(() -> trader.session.offerSubscribeFrom(
                5, ReplayRequest.topic("o").from(LogPlace.BEGINNING).live()));
        test.settle();
        // More than rings and buffers hold, so that some wait in each place.
        for (int i = 0; i < 20_000; i++) {
            root.publish("o", "{\"id\":" + i % 50 + ",\"desk\":\"" + (i % 2 == 0 ? "E" : "W") + "\",\"n\":" + i + "}");
        }
        root.flush();
        test.advance(100);
        test.broker.permissions(NOTHING_TO_READ);
        test.cycle();
        assertThat(test.broker.arePermissionsApplied()).isTrue();
        final long sent = test.broker.counter("messagesDelivered");
        trader.paused = false;
        test.settle();
        test.advance(100);
        test.settle();

        assertThat(test.broker.counter("messagesDelivered")).isEqualTo(sent);
        assertThat(trader.errors).hasSize(5).allMatch(each -> each.errorCode() == ErrorCode.NOT_AUTHORIZED);
        assertThat(trader.errors).extracting(BrokerError::subscriptionId).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L);
        assertThat(trader.errors.get(0).text())
                .contains("the permissions have changed")
                .contains("trader-E");
        assertThat(test.broker.counter("subscriptions")).isZero();
        assertThat(root.sow(SowRequest.topic("o"))).hasSize(50);
    }

    @Test
    void shouldGoOnWithWhatMayBeSeenNow() {
        trader.subscribe(1, SubscribeRequest.topic("o"));
        trader.subscribe(2, SubscribeRequest.pattern("o.*"));
        trader.subscribe(3, SubscribeRequest.topic("o").filter("id < 10"));
        trader.offer(() ->
                trader.session.offerSubscribeFrom(4, ReplayRequest.topic("o").live()));
        root.subscribe(5, SubscribeRequest.topic("o"));
        test.settle();
        test.broker.permissions(BY_DESK);
        test.settle();
        root.publish("o", E1);
        root.publish("o", W2);
        root.flush();

        assertThat(trader.take())
                .containsExactlyInAnyOrder("1 MESSAGE " + E1, "2 MESSAGE " + E1, "3 MESSAGE " + E1, "4 MESSAGE " + E1);
        test.broker.permissions(ALL);
        test.settle();
        root.publish("o", W2);
        root.flush();
        assertThat(trader.take())
                .containsExactlyInAnyOrder("1 MESSAGE " + W2, "2 MESSAGE " + W2, "3 MESSAGE " + W2, "4 MESSAGE " + W2);
        assertThat(trader.errors).isEmpty();
        assertThat(root.take()).containsExactly("5 MESSAGE " + E1, "5 MESSAGE " + W2, "5 MESSAGE " + W2);
    }

    @Test
    void shouldReportOnceWhatDisappearsAndSendWhatAppears() {
        final String w3 = "{\"id\":3,\"desk\":\"W\"}";
        root.publish("o", E1);
        root.publish("o", W2);
        root.publish("o", w3);
        root.flush();
        trader.subscribe(1, SubscribeRequest.topic("o").sow().oof());
        trader.subscribe(2, SubscribeRequest.topic("o").sow().delta());
        trader.subscribe(3, SubscribeRequest.topic("o").sow().oof().conflation(Duration.ofMillis(20)));
        trader.subscribe(4, SubscribeRequest.topic("o").oof());
        trader.subscribe(5, SubscribeRequest.topic("o").sow().oof().filter("id < 3"));
        trader.take();
        test.broker.permissions(BY_DESK);
        test.settle();
        test.advance(40);
        root.publish("o", "{\"id\":2,\"desk\":\"W\",\"v\":1}");
        root.flush();
        test.advance(40);

        assertThat(trader.take())
                .containsExactlyInAnyOrder(
                        "1 OOF_MATCH " + W2,
                        "1 OOF_MATCH " + w3,
                        "3 OOF_MATCH " + W2,
                        "3 OOF_MATCH " + w3,
                        "4 OOF_MATCH " + W2,
                        "4 OOF_MATCH " + w3,
                        "5 OOF_MATCH " + W2);
        test.broker.permissions(ALL);
        test.settle();
        test.advance(40);
        final String again = "{\"id\":2,\"desk\":\"W\",\"v\":1}";
        assertThat(trader.take())
                .containsExactlyInAnyOrder(
                        "1 MESSAGE " + again,
                        "1 MESSAGE " + w3,
                        "2 MESSAGE " + again,
                        "2 MESSAGE " + w3,
                        "3 MESSAGE " + again,
                        "3 MESSAGE " + w3,
                        "4 MESSAGE " + again,
                        "4 MESSAGE " + w3,
                        "5 MESSAGE " + again);
        assertThat(trader.errors).isEmpty();
        assertThat(test.broker.counter("resyncs")).isZero();
    }

    @Test
    void shouldSendTheStateAgainToThoseThatDoNotFollowIt() {
        root.publish("o", E1);
        root.publish("o", W2);
        root.flush();
        trader.subscribe(1, SubscribeRequest.topic("o").sow());
        trader.take();
        trader.groups.clear();
        test.broker.permissions(BY_DESK);
        test.settle();
        root.publish("o", W2);
        root.flush();

        assertThat(trader.take()).containsExactly("1 STATE " + E1);
        assertThat(trader.groups).hasSize(2);
        assertThat(trader.errors).isEmpty();
    }

    @Test
    void shouldEndWhatCannotGoOn() {
        final Permissions withoutQueries = traders(allow("list", "*", ""), allow("subscribe", "*", "desk = 'E'"));
        trader.subscribe(2, SubscribeRequest.topic("o").oof());
        test.broker.permissions(withoutQueries);
        test.settle();

        assertThat(trader.errors)
                .extracting(BrokerError::subscriptionId, BrokerError::errorCode)
                .containsExactly(tuple(2L, ErrorCode.PERMISSIONS_CHANGED));
    }

    /** Both filters have to be evaluated to find the record, and only one can be with the steps of one evaluation. */
    @Test
    void shouldFindRecordsOfWhichEachFilterTakesMostStepsOfAnEvaluation() {
        final String numbers =
                IntStream.range(0, 200).mapToObj(Integer::toString).collect(Collectors.joining(","));
        final String others =
                IntStream.range(200, 400).mapToObj(Integer::toString).collect(Collectors.joining(","));
        final String heavy = "{\"id\":1,\"a\":[" + numbers + "],\"b\":[" + others + "]}";
        test.broker.permissions(traders(allow("list create stat", "*", ""), allow("read", "*", "a = b")));
        root.publish("o", heavy);
        root.flush();
        trader.subscribe(1, SubscribeRequest.topic("o").sow().oof());
        assertThat(trader.take()).isEmpty();
        test.broker.permissions(traders(allow("list create stat", "*", ""), allow("read", "*", "NOT (a = b)")));
        assertThat(trader.take()).containsExactly("1 MESSAGE " + heavy);
        test.broker.permissions(traders(allow("list create stat", "*", ""), allow("read", "*", "a = b")));
        assertThat(trader.take()).containsExactly("1 OOF_MATCH " + heavy);
    }

    @Test
    void shouldSendTheStateOfAPatternAgain() {
        root.publish("o", E1);
        root.publish("o", W2);
        root.flush();
        trader.subscribe(1, SubscribeRequest.pattern(".*").sow());
        trader.take();
        trader.groups.clear();
        test.broker.permissions(BY_DESK);
        test.settle();
        root.publish("o", W2);
        root.publish("p", E1);
        root.flush();

        assertThat(trader.take()).containsExactly("1 STATE " + E1, "1 MESSAGE " + E1);
        assertThat(trader.groups).hasSize(2);
        assertThat(trader.errors).isEmpty();
    }

    @Test
    void shouldRefuseToReplaceAPatternByOneWithoutStateBeforeItsStateIsSentAgain() {
        for (int i = 0; i < 500; i++) {
            root.publish("o", "{\"id\":" + i + ",\"desk\":\"E\",\"pad\":\"" + "x".repeat(8_000) + "\"}");
        }
        root.flush();
        trader.subscribe(1, SubscribeRequest.pattern(".*").sow());
        trader.take();
        trader.paused = true;
        test.broker.permissions(BY_DESK);
        test.settle();
        trader.offer(() -> trader.session.offerReplace(1, SubscribeRequest.pattern("o.*")));
        test.settle();
        trader.paused = false;
        test.settle();

        assertThat(trader.errors).extracting(BrokerError::errorCode).containsExactly(ErrorCode.LIMIT_REACHED);
        assertThat(trader.take()).hasSize(500);
        trader.replace(1, SubscribeRequest.pattern("o.*"));
        root.publish("o", E1);
        root.flush();
        assertThat(trader.take()).containsExactly("1 MESSAGE " + E1);
    }

    @Test
    void shouldEndAReplacedFollowerThatIsNotSentAll() {
        trader.subscribe(1, SubscribeRequest.topic("o").sow().oof());
        lag();
        trader.offer(() -> trader.session.offerReplace(1, SubscribeRequest.topic("p")));
        test.settle();
        test.broker.permissions(BY_DESK);
        trader.paused = false;
        test.settle();

        assertThat(trader.errors).extracting(BrokerError::errorCode).containsExactly(ErrorCode.PERMISSIONS_CHANGED);
    }

    @Test
    void shouldSendAFollowerThatHasReplacedAnotherTheStateInPlaceOfWhatIsLeft() {
        trader.subscribe(1, SubscribeRequest.topic("o").sow().oof());
        lag();
        trader.offer(() ->
                trader.session.offerReplace(1, SubscribeRequest.topic("o").oof().filter("id < 3")));
        test.settle();
        trader.deliveries.clear();
        test.broker.permissions(BY_DESK);
        trader.paused = false;
        test.settle();
        root.publish("o", W2);
        root.publish("o", E1);
        root.flush();

        assertThat(trader.errors).isEmpty();
        final List<String> taken = trader.take();
        final int state = taken.size() - 4;
        assertThat(taken.get(state)).startsWith("1 STATE {\"id\":0,\"desk\":\"E\"");
        assertThat(taken.get(state + 1)).startsWith("1 STATE {\"id\":2,\"desk\":\"E\"");
        assertThat(taken.get(state + 2)).isEqualTo(taken.get(state + 1).replace("STATE", "OOF_MATCH"));
        assertThat(taken.get(state + 3)).isEqualTo("1 MESSAGE " + E1);
    }

    @Test
    void shouldLetAFollowerWaitWithItsOtherFilter() {
        final String pad = ",\"pad\":\"" + "x".repeat(1_000) + "\"}";
        final String e = "{\"id\":1,\"desk\":\"E\"" + pad;
        final String w = "{\"id\":2,\"desk\":\"W\"" + pad;
        trader.subscribe(1, SubscribeRequest.topic("p"));
        trader.paused = true;
        for (int i = 0; i < 6_000; i++) {
            root.publish("p", i % 2 == 0 ? e : w);
        }
        root.flush();
        trader.offer(
                () -> trader.session.offerReplace(1, SubscribeRequest.topic("o").oof()));
        test.settle();
        root.publish("o", W2);
        root.publish("o", E1);
        root.flush();
        test.broker.permissions(BY_DESK);
        final int sent = (int) test.broker.counter("messagesDelivered");
        assertThat(sent).isLessThan(6_000);
        trader.paused = false;
        test.settle();
        root.publish("o", "{\"id\":1,\"desk\":\"W\"}");
        root.flush();

        assertThat(trader.errors).isEmpty();
        final List<String> taken = trader.take();
        assertThat(taken.subList(sent, taken.size() - 2)).allMatch(each -> each.equals("1 MESSAGE " + e));
        assertThat(taken.stream().filter(each -> each.equals("1 MESSAGE " + e))).hasSize(3_000);
        assertThat(taken.subList(taken.size() - 2, taken.size()))
                .containsExactly("1 MESSAGE " + E1, "1 OOF_MATCH " + E1);
    }

    /** Has the trader lag with a topic of which half is of its desk. */
    private void lag() {
        trader.take();
        trader.paused = true;
        for (int i = 0; i < 5_000; i++) {
            root.publish(
                    "o",
                    "{\"id\":" + i % 50 + ",\"desk\":\"" + (i % 2 == 0 ? "E" : "W") + "\",\"n\":" + i + ",\"pad\":\""
                            + "x".repeat(200) + "\"}");
        }
        root.flush();
    }

    @Test
    void shouldNotLetAPatternEscapeThatIsJustMade() {
        trader.offer(() -> trader.session.offerSubscribe(1, SubscribeRequest.pattern(".*")));
        root.publish("o", W2);
        root.publish("p", W2);
        test.broker.permissions(BY_DESK);
        test.settle();
        root.publish("o", E1);
        root.publish("p", W2);
        root.flush();

        assertThat(trader.take()).containsExactly("1 MESSAGE " + E1);
        assertThat(trader.errors).isEmpty();
    }

    @Test
    void shouldLeaveAloneWhatStaysTheSame() {
        trader.subscribe(1, SubscribeRequest.topic("o"));
        trader.subscribe(2, SubscribeRequest.pattern("o.*"));
        trader.subscribe(3, SubscribeRequest.topic("o").sow().delta().oof());
        // Others may do less now, and traders may delete less.
        test.broker.permissions(traders(allow("read", "*", "")));
        test.settle();
        root.publish("o", E1);
        root.flush();

        assertThat(trader.errors).isEmpty();
        assertThat(trader.take()).containsExactlyInAnyOrder("1 MESSAGE " + E1, "2 MESSAGE " + E1, "3 MESSAGE " + E1);
        trader.publish("o", W2);
        trader.delete("o", "TRUE");
        assertThat(trader.errors)
                .extracting(BrokerError::errorCode)
                .containsExactly(ErrorCode.NOT_AUTHORIZED, ErrorCode.NOT_AUTHORIZED);
    }

    @Test
    void shouldEndWhatWasAskedForBeforeAndIsAnsweredAfterwards() {
        root.publish("o", W2);
        root.flush();
        trader.offer(() ->
                trader.session.offerSubscribe(1, SubscribeRequest.topic("o").sow()));
        trader.offer(() ->
                trader.session.offerSubscribeFrom(2, ReplayRequest.topic("o").from(LogPlace.BEGINNING)));
        trader.offer(() -> trader.session.offerSow(3, SowRequest.topic("o")));
        test.broker.permissions(BY_DESK);
        test.settle();

        assertThat(trader.deliveries).isEmpty();
        assertThat(trader.sow(SowRequest.topic("o"))).isEmpty();
    }

    @Test
    void shouldEndQueriesThatWouldFindOtherRecords() {
        final String pad = "x".repeat(8_000);
        for (int i = 0; i < 200; i++) {
            root.publish(
                    "o", "{\"id\":" + i + ",\"desk\":\"" + (i % 2 == 0 ? "E" : "W") + "\",\"pad\":\"" + pad + "\"}");
        }
        root.flush();
        trader.paused = true;
        trader.offer(() -> trader.session.offerSow(7, SowRequest.topic("o")));
        root.paused = true;
        root.offer(() -> root.session.offerSow(8, SowRequest.topic("o")));
        test.settle();
        test.broker.permissions(BY_DESK);
        test.settle();
        trader.paused = false;
        root.paused = false;
        test.settle();

        assertThat(trader.errors).extracting(BrokerError::errorCode).containsExactly(ErrorCode.PERMISSIONS_CHANGED);
        assertThat(trader.deliveries).hasSizeLessThan(200);
        assertThat(root.errors).isEmpty();
        assertThat(root.deliveries).hasSize(200);
    }

    @Test
    void shouldHoldForAllAgentsThatWaitForWork() {
        try (TestBroker threaded = GuardedBroker.start(
                ALL,
                builder -> builder.threading(ThreadingMode.DEDICATED)
                        .ioAgentCount(2)
                        .idle(IdleMode.BLOCKING)
                        .listen("inproc:permission-change"))) {
            final StateClient reader = new StateClient(threaded, "trader-E");
            reader.subscribe(1, SubscribeRequest.topic("o"));
            threaded.broker.permissions(NOTHING_TO_READ);
            threaded.await(threaded.broker::arePermissionsApplied);
            threaded.await(() -> !reader.errors.isEmpty());

            assertThat(reader.errors.get(0).errorCode()).isEqualTo(ErrorCode.NOT_AUTHORIZED);
        }
    }

    @Test
    void shouldEndSessionsThatHaveNoRightAnyMore() {
        final RawClient other = test.connect();
        other.logon("", "trader-W", 0);
        test.await(() -> other.events.contains("logonAck"));
        trader.close();
        test.broker.permissions(Permissions.of(List.of(GuardedBroker.ROOT)));
        test.settle();

        assertThat(other.fatalErrors).containsExactly(ErrorCode.NOT_AUTHORIZED);
        root.publish("o", E1);
        root.flush();
        assertThat(root.errors).isEmpty();
    }
}
