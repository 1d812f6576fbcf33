package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.Permissions;
import io.penstock.broker.security.Role;
import io.penstock.client.BrokerError;
import io.penstock.client.RecordKind;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A subscription that follows records without their state first, and lags behind what is kept, begins anew with the state: only for
 * those who may query it, and would see the same.
 */
@Timeout(60)
class LaggingEntitlementTest {
    private static final int KEY_COUNT = 60;
    private static final int ROUND_COUNT = 80;
    private static final String PAD = "x".repeat(400);

    private static final Permissions PERMISSIONS = Permissions.of(List.of(
            GuardedBroker.ROOT,
            new Role("reader", List.of(allow("read", "*", ""))),
            new Role("listener", List.of(allow("subscribe", "*", ""))),
            new Role("mixed", List.of(allow("subscribe", "*", ""), allow("query", "*", "p > 5"))),
            new Role("limited", List.of(allow("subscribe query", "*", "p > 5")))));

    private TestBroker test;
    private StateClient root;

    @BeforeEach
    void launch() {
        test = GuardedBroker.start(
                PERMISSIONS,
                builder -> builder.window(new WindowConfig(16 * 1024, 8))
                        .sessions(TestBroker.sessions(512, 7 * 1024))
                        .topic(TopicConfig.keyed("quotes", "json", "s")));
        root = new StateClient(test, "root");
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void shouldBeginAnewWithTheStateForThoseWhoMayQuery() {
        final StateClient reader = lagging("reader", SubscribeRequest.topic("quotes").oof());

        assertThat(test.broker.counter("resyncs")).isEqualTo(1);
        assertThat(reader.deliveries).filteredOn(each -> each.kind() == RecordKind.STATE).hasSize(KEY_COUNT);
        assertThat(reader.errors).isEmpty();
    }

    @Test
    void shouldSeeOnlyWhatItMayWhenItBeginsAnew() {
        final StateClient limited = lagging("limited", SubscribeRequest.topic("quotes").oof());

        assertThat(test.broker.counter("resyncs")).isEqualTo(1);
        assertThat(limited.deliveries).filteredOn(each -> each.kind() == RecordKind.STATE).isNotEmpty();
        assertThat(limited.deliveries)
                .extracting(StateClient.Delivery::text)
                .noneMatch(text -> text.matches(".*\"p\":[0-5],.*"));
    }

    @Test
    void shouldEndWithoutTheStateForThoseWhoMayNotQuery() {
        for (final String user : List.of("listener", "mixed")) {
            for (final SubscribeRequest request : List.of(
                    SubscribeRequest.topic("quotes").oof(),
                    SubscribeRequest.topic("quotes").delta(),
                    SubscribeRequest.topic("quotes").select("p,pad"))) {
                final StateClient listener = lagging(user, request);

                assertThat(listener.deliveries)
                        .as("%s: %s", user, request)
                        .noneMatch(each -> each.kind() == RecordKind.STATE);
                assertThat(listener.errors)
                        .extracting(BrokerError::errorCode)
                        .as("%s: %s", user, request)
                        .containsExactly(ErrorCode.FELL_BEHIND);
            }
        }
        assertThat(test.broker.counter("resyncs")).isZero();
    }

    /** A client that has not read while more was published than is kept, and then reads all there is. */
    private StateClient lagging(final String user, final SubscribeRequest request) {
        final StateClient client = new StateClient(test, user);
        client.subscribe(1, request);
        test.settle();
        client.paused = true;
        for (int round = 0; round < ROUND_COUNT; round++) {
            for (int i = 0; i < KEY_COUNT; i++) {
                root.publish(
                        "quotes",
                        "{\"s\":" + i + ",\"p\":" + (i + round) % 10 + ",\"pad\":\"" + round + PAD + "\"}");
            }
            root.flush();
        }
        client.paused = false;
        test.settle();
        return client;
    }
}
