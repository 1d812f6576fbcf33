package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static io.penstock.broker.GuardedBroker.deny;
import static io.penstock.broker.GuardedBroker.traders;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Permissions;
import io.penstock.client.Bookmark;
import io.penstock.client.BrokerError;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SowProgress;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.format.header.Headers;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.PublishStateEncoder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A filter of the permissions limits every way on which a message can reach a client, or be changed by one. */
@Timeout(60)
class EntitlementTest {
    private static final Permissions BY_DESK = traders(
            allow("read write", "o*", "desk = USER('desk')"),
            allow("read", "open*", ""),
            allow("list create", "*", ""));
    private static final String E1 = "{\"id\":1,\"desk\":\"E\",\"v\":1}";
    private static final String W2 = "{\"id\":2,\"desk\":\"W\",\"v\":2}";
    private static final String E3 = "{\"id\":3,\"desk\":\"E\",\"v\":4}";

    @TempDir
    Path directory;

    private TestBroker test;
    private StateClient root;
    private StateClient trader;

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void shouldSendLiveMessagesThatSatisfyBothFilters() {
        start(BY_DESK);
        trader.subscribe(1, SubscribeRequest.topic("o"));
        trader.subscribe(2, SubscribeRequest.topic("o").filter("v > 1"));
        trader.subscribe(3, SubscribeRequest.topic("o").filter("v > 1 OR desk = 'W'"));
        publishAll();

        assertThat(trader.take())
                .containsExactlyInAnyOrder("1 MESSAGE " + E1, "1 MESSAGE " + E3, "2 MESSAGE " + E3, "3 MESSAGE " + E3);
    }

    @Test
    void shouldSendOfAPatternWhatEachTopicAllows() {
        start(BY_DESK);
        trader.subscribe(1, SubscribeRequest.pattern(".*"));
        trader.subscribe(2, SubscribeRequest.pattern(".*").filter("v > 1"));
        root.declare("open", "id", 0);
        root.declare("x", "id", 0);
        publishAll();
        root.publish("open", W2);
        root.publish("x", E1);
        root.publish("o-later", E1);
        root.publish("o-later", W2);
        root.flush();

        assertThat(trader.take())
                .containsExactlyInAnyOrder(
                        "1 MESSAGE " + E1,
                        "1 MESSAGE " + E3,
                        "2 MESSAGE " + E3,
                        "1 MESSAGE " + W2,
                        "2 MESSAGE " + W2,
                        "1 MESSAGE " + E1);
    }

    @Test
    void shouldFindAndCountOnlyRecordsThatAreVisible() {
        start(BY_DESK);
        publishAll();
        root.publish("o2", W2);
        root.flush();
        trader.groups.clear();

        assertThat(trader.sow(SowRequest.topic("o"))).containsExactlyInAnyOrder(E1, E3);
        assertThat(trader.groups.get(1)).endsWith(" 2/2/2");
        assertThat(trader.sow(SowRequest.topic("o").filter("desk = 'W'"))).isEmpty();
        assertThat(trader.groups.get(3)).endsWith(" 2/0/0");
        assertThat(trader.sow(SowRequest.topic("o").select("COUNT(*) AS n, SUM(v) AS v")))
                .containsExactly("{\"n\":2,\"v\":5}");
        assertThat(trader.sow(SowRequest.topic("o").keys(List.of("{\"id\":2}", "{\"id\":3}"))))
                .containsExactly(E3);
        assertThat(trader.sow(SowRequest.topic("o").orderBy("v DESC").top(2))).containsExactly(E3, E1);
        assertThat(trader.sow(SowRequest.pattern("o.*"))).containsExactlyInAnyOrder(E1, E3);
        assertThat(root.sow(SowRequest.topic("o"))).hasSize(3);
    }

    @Test
    void shouldSendTheStateAndItsChangesThatAreVisible() {
        start(BY_DESK);
        publishAll();
        trader.subscribe(1, SubscribeRequest.topic("o").sow().oof());
        trader.subscribe(2, SubscribeRequest.topic("o").sow().delta().oof());
        trader.subscribe(3, SubscribeRequest.topic("o").sow().oof().conflation(Duration.ofMillis(10)));
        trader.subscribe(4, SubscribeRequest.pattern("o").sow());
        assertThat(trader.take())
                .containsExactlyInAnyOrder(
                        "1 STATE " + E1,
                        "1 STATE " + E3,
                        "2 STATE " + E1,
                        "2 STATE " + E3,
                        "3 STATE " + E1,
                        "3 STATE " + E3,
                        "4 STATE " + E1,
                        "4 STATE " + E3);

        // One leaves the desk, one comes, one stays elsewhere.
        root.publish("o", "{\"id\":1,\"desk\":\"W\",\"v\":7}");
        root.publish("o", "{\"id\":2,\"desk\":\"E\",\"v\":8}");
        root.publish("o", "{\"id\":5,\"desk\":\"W\",\"v\":9}");
        root.flush();
        test.advance(50);
        final List<String> changes = trader.take();

        assertThat(changes).filteredOn(each -> each.startsWith("1 ")).hasSize(2);
        assertThat(changes)
                .filteredOn(each -> each.contains("OOF_MATCH"))
                .containsExactlyInAnyOrder("1 OOF_MATCH " + E1, "2 OOF_MATCH " + E1, "3 OOF_MATCH " + E1);
        assertThat(changes).noneMatch(each -> each.contains("\"W\""));
        assertThat(changes)
                .filteredOn(each -> each.startsWith("4 "))
                .containsExactly("4 MESSAGE {\"id\":2,\"desk\":\"E\",\"v\":8}");
    }

    @Test
    void shouldReplayAndRememberOnlyWhatIsVisible() {
        test = GuardedBroker.start(
                BY_DESK,
                builder -> builder.journal(JournalConfig.in(directory.toString())
                                .withFileLength(64 * 1024)
                                .withSnapshots(0, 0))
                        .topic(TopicConfig.keyed("o", "json", "id")));
        root = new StateClient(test, "root");
        trader = new StateClient(test, "trader-E");
        publishAll();
        root.groups.clear();
        root.sow(SowRequest.topic("o").top(1));
        final Bookmark then = Bookmark.parse(root.groups.get(0).replaceAll(".* ", ""));
        root.delete("o", "TRUE");

        replay(1, ReplayRequest.topic("o").from(LogPlace.BEGINNING).to(LogPlace.NOW));
        replay(2, ReplayRequest.pattern("o.*").from(LogPlace.BEGINNING).to(LogPlace.NOW));
        assertThat(trader.take())
                .containsExactlyInAnyOrder("1 MESSAGE " + E1, "1 MESSAGE " + E3, "2 MESSAGE " + E1, "2 MESSAGE " + E3);
        assertThat(trader.sow(SowRequest.topic("o").asOf(then))).containsExactlyInAnyOrder(E1, E3);
        assertThat(trader.sow(SowRequest.pattern("o").asOf(then).select("COUNT(*) AS n")))
                .containsExactly("{\"n\":2}");
    }

    @Test
    void shouldNotCountWhatIsHiddenInTheProgressOfAQueryOfThePast() {
        test = GuardedBroker.start(
                BY_DESK,
                builder -> builder.journal(JournalConfig.in(directory.toString())
                                .withFileLength(64 * 1024)
                                .withSnapshots(0, 0))
                        .topic(TopicConfig.keyed("o", "json", "id")));
        root = new StateClient(test, "root");
        for (int i = 0; i < 10_000; i++) {
            root.publish("o", W2);
        }
        root.flush();
        root.sow(SowRequest.topic("o").top(1));
        final Bookmark then = Bookmark.parse(root.groups.get(0).replaceAll(".* ", ""));

        assertThat(progressOf("root", then))
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.rows()).isGreaterThanOrEqualTo(10_000));
        assertThat(progressOf("trader-E", then)).isNotEmpty().allSatisfy(each -> {
            assertThat(each.rows()).isEqualTo(1_000);
            assertThat(each.scanned()).isBetween(0L, 1_000L);
            assertThat(each.matches()).isZero();
        });
    }

    private List<SowProgress> progressOf(final String user, final Bookmark then) {
        final List<SowProgress> reported = new ArrayList<>();
        final StateClient client = new StateClient(test, user) {
            @Override
            public void onProgress(final long commandId, final long queryId, final SowProgress progress) {
                reported.add(progress);
            }
        };
        final long commandId = client.offer(() ->
                client.session.offerSow(7, SowRequest.topic("o").asOf(then).progress(Duration.ofMillis(100))));
        for (int i = 0; i < 1_000 && !client.acks.containsKey(commandId); i++) {
            test.clock.advance(60_000_000);
            test.cycle();
        }
        assertThat(client.acks).containsKey(commandId);
        return reported;
    }

    @Test
    void shouldDeleteOnlyWhatIsVisible() {
        start(BY_DESK);
        publishAll();

        assertThat(trader.delete("o", "", "{\"id\":2}")).isZero();
        assertThat(trader.delete("o", "", "{\"id\":1}", "{\"id\":2}")).isEqualTo(1);
        assertThat(trader.delete("o", "TRUE")).isEqualTo(1);
        assertThat(root.sow(SowRequest.topic("o"))).containsExactly(W2);
        assertThat(trader.delete("x", "TRUE")).isEqualTo(-1);
        assertThat(trader.lastError().errorCode()).isEqualTo(ErrorCode.NOT_AUTHORIZED);
    }

    @Test
    void shouldTakeOnlyMessagesThatSatisfyTheFilter() {
        start(BY_DESK);
        trader.publish("o", E1);
        trader.publish("o", W2);
        trader.publish("o", "{\"id\":9}");
        trader.delta("o", "{\"id\":1,\"v\":5}");
        trader.flush();

        assertThat(root.sow(SowRequest.topic("o"))).containsExactly(E1);
        assertThat(trader.errors)
                .extracting(BrokerError::errorCode)
                .containsExactly(ErrorCode.NOT_ENTITLED, ErrorCode.NOT_ENTITLED, ErrorCode.NOT_ENTITLED);
        assertThat(trader.errors.get(0).text()).startsWith("publish to o: not a message that trader-E may publish");
        assertThat(trader.errors.get(2).text()).contains("publish whole messages");
    }

    /** What a message is must not depend on who reads it. */
    @Test
    void shouldRefuseMessagesThatReadDifferentlyForOthers() {
        start(BY_DESK);
        // That a desk was allowed before helps none of them.
        trader.publish("o", E1);
        trader.publish("o", "{\"id\":1,\"desk\":[\"E\",\"W\"]}");
        trader.publish("o", "{\"id\":1,\"desk\":[\"E\"]}");
        trader.publish("o", "{\"id\":1,\"desk\":\"E\",\"desk\":\"W\"}");
        trader.publish("o", "{\"id\":1,\"desk\":\"E\",\"\\u0064esk\":\"W\"}");
        trader.publish("o", E1);
        trader.flush();

        assertThat(root.sow(SowRequest.topic("o"))).containsExactly(E1);
        assertThat(trader.errors)
                .extracting(BrokerError::errorCode)
                .containsExactly(
                        ErrorCode.NOT_ENTITLED, ErrorCode.NOT_ENTITLED, ErrorCode.NOT_ENTITLED, ErrorCode.NOT_ENTITLED);
    }

    @Test
    void shouldLookAtHeaders() {
        start(traders(allow("read write", "*", "HEADER('desk') = USER('desk')")));
        final RawClient writer = test.connect();
        writer.logon("", "trader-E", 0);
        test.await(() -> writer.events.contains("logonAck"));
        trader.subscribe(1, SubscribeRequest.topic("o"));
        publishWithDesk(writer, "E", E1);
        publishWithDesk(writer, "W", W2);
        root.publish("o", E3);
        root.flush();

        assertThat(trader.take()).containsExactly("1 MESSAGE " + E1);
        assertThat(writer.errors).containsExactly(ErrorCode.NOT_ENTITLED);
        assertThat(trader.sow(SowRequest.topic("o"))).containsExactly(E1);
    }

    private void publishWithDesk(final RawClient writer, final String desk, final String text) {
        final Headers headers = Headers.of("desk", desk);
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[text.length() + headers.length()]);
        payload.putStringWithoutLengthUtf8(0, text);
        headers.write(payload, text.length());
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[512]);
        final PublishStateEncoder encoder = new PublishStateEncoder();
        encoder.wrapAndApplyHeader(frame, 0, new MessageHeaderEncoder())
                .commandId(1)
                .publisherSequence(0)
                .expirationMs(0)
                .headersLength(headers.length());
        encoder.ackTypes().clear();
        encoder.options().clear();
        encoder.topic("o").key("").putPayload(payload.byteArray(), 0, payload.capacity());
        writer.send(Arrays.copyOf(frame.byteArray(), encoder.limit()));
        test.settle();
    }

    @Test
    void shouldListTopicsWithCountsForThoseAloneWhoSeeAll() {
        start(BY_DESK);
        root.declare("x", "id", 0);
        root.declare("open", "id", 0);
        publishAll();
        root.publish("open", W2);
        root.flush();
        final RawClient reader = test.connect();
        reader.logon("", "trader-E", 0);
        test.await(() -> reader.events.contains("logonAck"));
        reader.topics(2, "");
        test.awaitAck(reader, 2);

        assertThat(reader.topicMessages)
                .containsEntry("o", 0L)
                .containsEntry("open", 1L)
                .doesNotContainKey("x");
    }

    @Test
    void shouldHideWhatADenialIsTrueOfOrUnknown() {
        start(traders(allow("read", "*", ""), deny("read", "*", "v > 3 OR secret = TRUE")));
        publishAll();
        root.publish("o", "{\"id\":6,\"desk\":\"E\",\"v\":1,\"secret\":true}");
        root.publish("o", "{\"id\":7,\"desk\":\"E\",\"v\":1,\"secret\":false}");
        root.flush();

        assertThat(trader.sow(SowRequest.topic("o")))
                .containsExactly("{\"id\":7,\"desk\":\"E\",\"v\":1,\"secret\":false}");
    }

    @ParameterizedTest
    @CsvSource({"64, BAD_FILTER", "66, NOT_AUTHORIZED"})
    void shouldRefuseSubscriptionsOfWhichIsSaidMoreThanAFilterMayHave(final int count, final ErrorCode code) {
        final List<PermissionRule> rules = new ArrayList<>();
        rules.add(allow("read", "o", ""));
        final String pad = "x".repeat(4_050);
        for (int i = 0; i < count; i++) {
            rules.add(deny("read", "o", "v = '" + i + pad + "'"));
        }
        start(traders(rules.toArray(PermissionRule[]::new)));
        final String filter = "id = 1 OR v = '" + "y".repeat(4_000) + "'";
        trader.subscribe(1, SubscribeRequest.topic("o").filter(filter));
        trader.offer(() -> trader.session.offerSubscribeFrom(
                2, ReplayRequest.topic("o").from(LogPlace.BEGINNING).filter(filter)));
        test.settle();

        assertThat(trader.errors).extracting(BrokerError::errorCode).containsExactly(code, code);
    }

    @Test
    void shouldShowNothingWhenTheAttributeIsMissing() {
        start(BY_DESK);
        publishAll();
        final StateClient other = new StateClient(test, "trader");

        assertThat(other.sow(SowRequest.topic("o"))).isEmpty();
        assertThat(other.lastError().errorCode()).isEqualTo(ErrorCode.NOT_AUTHORIZED);
    }

    @Test
    void shouldNotTellWhetherATopicIsThere() {
        start(BY_DESK);
        root.declare("x", "id", 0);
        for (final String topic : List.of("x", "xx")) {
            trader.publish(topic, E1);
            trader.flush();
            trader.subscribe(1, SubscribeRequest.topic(topic));
            trader.subscribe(2, SubscribeRequest.topic(topic).sow());
            trader.sow(SowRequest.topic(topic));
            trader.sow(SowRequest.topic(topic).keys(List.of("{\"id\":1}")));
            trader.delete(topic, "TRUE");
            trader.delete(topic, "", "{\"id\":1}");
            replay(3, ReplayRequest.topic(topic).from(LogPlace.BEGINNING));
        }
        final List<BrokerError> errors = trader.errors;

        assertThat(errors).hasSize(16).allMatch(each -> each.errorCode() == ErrorCode.NOT_AUTHORIZED);
        assertThat(errors.subList(8, 16).stream().map(each -> each.text().replace("xx", "x")))
                .containsExactlyElementsOf(
                        errors.subList(0, 8).stream().map(BrokerError::text).toList());
    }

    @Test
    void shouldNotTellByAPatternWhetherATopicIsThere() {
        start(BY_DESK);
        root.declare("x", "id", 0);
        trader.sow(SowRequest.pattern("x.*"));
        trader.sow(SowRequest.pattern("nothing.*"));

        assertThat(trader.errors)
                .extracting(BrokerError::errorCode)
                .containsExactly(ErrorCode.NO_STATE, ErrorCode.NO_STATE);
    }

    private void start(final Permissions permissions) {
        test = GuardedBroker.start(
                permissions,
                builder -> builder.topic(TopicConfig.keyed("o", "json", "id"))
                        .topic(TopicConfig.keyed("o2", "json", "id")));
        root = new StateClient(test, "root");
        trader = new StateClient(test, "trader-E");
    }

    private void publishAll() {
        root.publish("o", E1);
        root.publish("o", W2);
        root.publish("o", E3);
        root.flush();
    }

    private void replay(final long id, final ReplayRequest request) {
        final int errorCount = trader.errors.size();
        final long commandId = trader.offer(() -> trader.session.offerSubscribeFrom(id, request));
        test.await(() -> trader.acks.containsKey(commandId) || trader.errors.size() > errorCount);
    }
}
