package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static io.penstock.broker.GuardedBroker.deny;
import static io.penstock.broker.GuardedBroker.traders;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.Permissions;
import io.penstock.client.BrokerError;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who may read a join is what is said of it, as of every view: not what is said of the topics that it is computed from. */
class JoinPermissionTest {
    private TestBroker test;
    private StateClient root;
    private StateClient trader;

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void shouldShowRowsByTheRulesOfTheJoinAlone() {
        start(traders(
                allow("read", "orders", "desk = USER('desk')"),
                allow("read", "v", "desk = USER('desk')"),
                deny("read", "v", "secret = TRUE")));
        trader.subscribe(1, SubscribeRequest.topic("v").oof());
        root.publish("customers", "{\"id\":7,\"name\":\"x\",\"secret\":false}");
        root.publish("orders", "{\"id\":1,\"customer\":7,\"desk\":\"E\"}");
        root.publish("orders", "{\"id\":2,\"customer\":7,\"desk\":\"F\"}");
        root.flush();

        final String row = "{\"id\":1,\"desk\":\"E\",\"name\":\"x\",\"secret\":false}";
        assertThat(trader.take()).containsExactly("1 MESSAGE " + row);
        assertThat(trader.sow(SowRequest.topic("v"))).containsExactly(row);
        trader.take();
        root.publish("customers", "{\"id\":7,\"name\":\"y\",\"secret\":true}");
        root.flush();
        assertThat(trader.take()).containsExactly("1 OOF_MATCH " + row);
        assertThat(trader.sow(SowRequest.topic("v"))).isEmpty();
        assertThat(root.sow(SowRequest.topic("v"))).hasSize(2);
    }

    @Test
    void shouldRefuseAJoinToThoseWhoMayReadItsTopicsAlone() {
        start(traders(allow("read", "orders", ""), allow("read", "customers", "")));
        trader.sow(SowRequest.topic("v"));
        assertThat(trader.errors).extracting(BrokerError::errorCode).containsExactly(ErrorCode.NOT_AUTHORIZED);
    }

    @Test
    void shouldHideColumnsOfAJoin() {
        start(traders(allow("read", "v", "").hiding(List.of("name"))));
        root.publish("customers", "{\"id\":7,\"name\":\"x\",\"secret\":false}");
        root.publish("orders", "{\"id\":1,\"customer\":7,\"desk\":\"E\"}");
        root.flush();

        assertThat(trader.sow(SowRequest.topic("v"))).containsExactly("{\"id\":1,\"desk\":\"E\",\"secret\":false}");
    }

    private void start(final Permissions permissions) {
        test = GuardedBroker.start(
                permissions,
                builder -> builder.topic(TopicConfig.keyed("orders", "json", "id"))
                        .topic(TopicConfig.keyed("customers", "json", "id"))
                        .view(ViewConfig.join(
                                "v",
                                ViewConfig.Join.inner("orders", "customers", "/orders/customer = /customers/id"),
                                "",
                                "/orders/id, /orders/desk, /customers/name, /customers/secret")));
        root = new StateClient(test, "root");
        trader = new StateClient(test, "trader-E");
    }
}
