package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static io.penstock.broker.GuardedBroker.traders;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.ExplanationTest.Explained;
import io.penstock.client.SowRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of how many records there are that a client may not see, it learns nothing by the counts of queries that stop early. */
@Timeout(120)
class HiddenCountTest {
    private static final String JOIN = "AS l JOIN p AS r ON /l/id = /r/id";
    private static final int[] HIDDEN_COUNTS = {0, 300, 1_000, 3_000};

    private TestBroker test;
    private Explained root;
    private Explained trader;

    private void start(final int hiddenCount) {
        test = GuardedBroker.start(
                traders(allow("read", "o", "desk = 'E'"), allow("read", "p", "")),
                builder -> builder.topic(TopicConfig.keyed("o", "json", "id"))
                        .topic(TopicConfig.keyed("p", "json", "id")));
        root = new Explained(test, "root");
        trader = new Explained(test, "trader-E");
        publish("o", 0, 20, "E");
        publish("o", 10_000, hiddenCount, "W");
        publish("o", 20, 40, "E");
        publish("o", 20_000, hiddenCount, "W");
        publish("o", 60, 3_000, "E");
        publish("p", 0, 100, "E");
        root.flush();
    }

    private void publish(final String topic, final int first, final int count, final String desk) {
        for (int i = first; i < first + count; i++) {
            root.publish(topic, "{\"id\":" + i + ",\"desk\":\"" + desk + "\"}");
        }
    }

    private static String end(final Explained client) {
        return client.groups.get(client.groups.size() - 1).replaceFirst("end \\d+ ", "");
    }

    private static SowRequest request(final String topic, final int skip, final int top) {
        final SowRequest request = SowRequest.topic("o").skip(skip).top(top);
        return topic.isEmpty() ? request : request.join(topic).select("/l/id AS id");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", JOIN})
    void shouldSayTheSameHoweverManyAreHiddenWhenAQueryHasEnough(final String join) {
        List<String> before = null;
        for (final int hiddenCount : HIDDEN_COUNTS) {
            start(hiddenCount);
            final List<String> said = new ArrayList<>();
            for (final int skip : new int[] {0, 19, 20, 59, 90}) {
                final String plan = trader.explain(request(join, skip, 1));
                assertThat(end(trader)).isEqualTo(skip + 1 + "/" + (skip + 1) + "/1");
                said.add(end(trader) + "\n" + plan);
            }
            trader.explain(request(join, 0, 0));
            assertThat(end(trader)).isEqualTo("0/0/0");
            test.close();
            assertThat(said).isEqualTo(before == null ? said : before).noneMatch(text -> text.contains("looked at"));
            before = said;
        }
    }

    @Test
    void shouldCountWhatMayBeSeenWhenAQueryGoesToTheEnd() {
        start(3_000);
        try {
            trader.explain(SowRequest.topic("o").filter("id < 30").top(40));
            assertThat(end(trader)).isEqualTo("3060/30/30");
            trader.explain(SowRequest.topic("o").orderBy("id").top(1));
            assertThat(end(trader)).isEqualTo("3060/3060/1");
            root.explain(SowRequest.topic("o").top(1));
            assertThat(end(root)).isNotEqualTo("1/1/1");
        } finally {
            test.close();
        }
    }
}
