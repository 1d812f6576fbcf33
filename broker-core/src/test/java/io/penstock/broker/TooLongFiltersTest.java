package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.event.Event;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Permissions;
import io.penstock.broker.security.Role;
import io.penstock.client.BrokerError;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Filters of permissions that are too long together deny what they are about, and that is said: nothing is silently empty. */
@Timeout(60)
class TooLongFiltersTest {
    private static final String E1 = "{\"id\":1,\"desk\":\"E\"}";
    private static final int WITHIN = 65;
    private static final int TOO_MANY = 70;

    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private TestBroker test;
    private StateClient root;
    private StateClient trader;

    /** As many rules as given, each with a filter of 4,000 characters, and one that is true of the message. */
    private static Permissions longRules(final int count) {
        final List<PermissionRule> rules = new ArrayList<>();
        rules.add(allow("list create", "*", ""));
        rules.add(allow("read write", "o", "desk = 'E'"));
        for (int i = 0; i < count; i++) {
            rules.add(allow("read write", "o", "desk = '" + i + "x".repeat(3_990) + "'"));
        }
        return Permissions.of(List.of(GuardedBroker.ROOT, new Role("trader", rules)));
    }

    @BeforeEach
    void start() {
        test = GuardedBroker.start(
                longRules(1),
                builder -> builder.topic(TopicConfig.keyed("o", "json", "id")).events(events::add));
        root = new StateClient(test, "root");
        trader = new StateClient(test, "trader");
        root.publish("o", E1);
        root.flush();
    }

    @AfterEach
    void close() {
        test.close();
    }

    private void assertSaid(final String what) {
        assertThat(trader.lastError()).isNotNull();
        assertThat(trader.lastError().text())
                .contains(what)
                .contains("the filters of the permissions of trader are too long together");
        assertThat(trader.lastError().errorCode()).isEqualTo(ErrorCode.NOT_AUTHORIZED);
        trader.errors.clear();
    }

    private List<Event> reported() {
        return events.stream()
                .filter(event -> event.kind() == EventKind.FILTERS_TOO_LONG)
                .toList();
    }

    @Test
    void shouldSaySoToWhoeverAsks() {
        test.broker.permissions(longRules(TOO_MANY));
        test.settle();

        assertThat(trader.sow(SowRequest.topic("o"))).isEmpty();
        assertSaid("sow of o");
        trader.subscribe(1, SubscribeRequest.topic("o"));
        assertSaid("subscribe to o");
        trader.subscribe(2, SubscribeRequest.topic("o").sow());
        assertSaid("subscribe to o");
        trader.delete("o", "id = 1");
        assertSaid("sow_delete of o");
        trader.publish("o", E1);
        trader.flush();
        assertSaid("publish to o");

        assertThat(reported()).isNotEmpty();
        assertThat(reported().get(0).toString()).contains("trader").contains("o");
        assertThat(test.broker.counter("filtersTooLong")).isPositive();
        assertThat(root.sow(SowRequest.topic("o"))).containsExactly(E1);
    }

    @Test
    void shouldTellTheOperatorAlsoWhenTheFilterOfTheClientIsTheOneTooMany() {
        test.broker.permissions(longRules(WITHIN));
        test.settle();
        final String asked = "id > 0 OR desk = '" + "y".repeat(4_000) + "'";
        trader.subscribe(1, SubscribeRequest.topic("o").filter(asked));
        trader.offer(() -> trader.session.offerSubscribeFrom(
                2, ReplayRequest.topic("o").filter(asked).live()));
        test.settle();

        assertThat(trader.errors).hasSize(2).allSatisfy(error -> {
            assertThat(error.errorCode()).isEqualTo(ErrorCode.BAD_FILTER);
            assertThat(error.text()).contains("subscribe to o: filter: too long with those of the permissions");
        });
        assertThat(reported())
                .hasSize(2)
                .allSatisfy(event -> assertThat(event.toString())
                        .contains("trader")
                        .contains("subscribe to o with the filter of its client"));
        assertThat(test.broker.counter("filtersTooLong")).isEqualTo(2);
    }

    @Test
    void shouldEndASubscriptionWhoseFilterIsTooLongWithOtherPermissions() {
        final String asked = "id > 0 OR desk = '" + "y".repeat(4_000) + "'";
        trader.subscribe(1, SubscribeRequest.topic("o").filter(asked));
        trader.subscribe(2, SubscribeRequest.topic("o"));
        test.settle();
        assertThat(trader.errors).isEmpty();
        trader.take();

        test.broker.permissions(longRules(WITHIN));
        test.settle();

        assertThat(trader.errors).extracting(BrokerError::subscriptionId).containsExactly(1L);
        assertThat(trader.errors.get(0).errorCode()).isEqualTo(ErrorCode.PERMISSIONS_CHANGED);
        assertThat(trader.errors.get(0).text())
                .contains("its filter is too long together with those that limit it now");
        assertThat(reported()).hasSize(1);
        root.publish("o", E1);
        root.flush();
        assertThat(trader.take()).containsExactly("2 MESSAGE " + E1);
    }

    @Test
    void shouldNotDependOnTheLengthWhenACursorReadsForAPattern() {
        test.broker.permissions(longRules(WITHIN));
        test.settle();
        final String asked = "id > 0 OR desk = '" + "y".repeat(4_000) + "'";
        trader.offer(() -> trader.session.offerSubscribeFrom(
                3, ReplayRequest.pattern("o.*").filter(asked).live()));
        test.settle();

        assertThat(trader.errors).isEmpty();
        assertThat(trader.take()).containsExactly("3 MESSAGE " + E1);
        root.publish("o", E1);
        root.flush();
        assertThat(trader.take()).containsExactly("3 MESSAGE " + E1);
    }
}
