package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static io.penstock.broker.GuardedBroker.traders;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Permissions;
import io.penstock.client.BrokerError;
import io.penstock.client.SowRequest;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deletes by filter of clients that may not see everything: what the permissions say at the last moment counts. */
@Timeout(60)
class DeletePermissionTest {
    private static final String RECORD = "{\"id\":1,\"desk\":\"E\",\"salary\":5}";

    private TestBroker test;
    private StateClient root;
    private StateClient trader;

    private void start(final Permissions permissions) {
        test = GuardedBroker.start(permissions, builder -> builder.topic(TopicConfig.keyed("o", "json", "id")));
        root = new StateClient(test, "root");
        trader = new StateClient(test, "trader-E");
        root.publish("o", RECORD);
        root.flush();
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void shouldDeleteNothingByAFieldThatIsHiddenBeforeTheShardHasAnswered() {
        start(traders(allow("read delete", "o", "")));
        for (int i = 2; i < 4_000; i++) {
            root.publish("o", "{\"id\":" + i + "}");
        }
        root.flush();
        // Takes the shard some cycles, in which the other delete waits.
        root.offer(() -> root.session.offerSowDelete("o", "id > 1", List.of()));
        for (int i = 0; i < 7; i++) {
            test.broker.invoke();
        }
        trader.offer(() -> trader.session.offerSowDelete("o", "salary > 1", List.of()));
        test.broker.invoke();
        test.broker.permissions(
                traders(allow("delete", "o", ""), allow("read", "o", "").hiding(List.of("salary"))));
        test.settle();

        assertThat(root.sow(SowRequest.topic("o"))).containsExactly(RECORD);
        assertThat(trader.errors).extracting(BrokerError::errorCode).containsExactly(ErrorCode.PERMISSIONS_CHANGED);
        assertThat(trader.delete("o", "id = 1")).isOne();
    }

    @Test
    void shouldRefuseAFilterThatIsTooLongWithThoseOfThePermissions() {
        final List<PermissionRule> rules = new ArrayList<>();
        rules.add(allow("read delete", "o", ""));
        final String pad = "x".repeat(4_050);
        for (int i = 0; i < 64; i++) {
            rules.add(GuardedBroker.deny("delete", "o", "v = '" + i + pad + "'"));
        }
        start(traders(rules.toArray(PermissionRule[]::new)));
        final String filter = "id = 1 OR v = '" + "y".repeat(4_000) + "'";

        assertThat(trader.delete("o", filter)).isEqualTo(-1);
        assertThat(trader.errors).extracting(BrokerError::errorCode).containsExactly(ErrorCode.BAD_FILTER);
        assertThat(trader.sow(SowRequest.topic("o"))).containsExactly(RECORD);
        assertThat(test.takeErrors()).isEmpty();
    }
}
