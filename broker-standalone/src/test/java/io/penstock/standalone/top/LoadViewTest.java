package io.penstock.standalone.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.Stat;
import io.penstock.client.TopicInfo;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoadViewTest {
    @Test
    void shouldOrderByRateThenByMessagesWhenShown() {
        final LoadView view = new LoadView(
                sample(0, Map.of(), topic("a", 100), topic("b", 10), topic("gone", 5)),
                sample(2, Map.of(), topic("a", 100), topic("b", 30), topic("c", 50), topic("big", 1000)));

        assertThat(view.rows(3)).extracting(row -> row.topic().name()).containsExactly("big", "c", "b");
        assertThat(view.rows(9)).extracting(LoadView.Row::rate).containsExactly(500.0, 25.0, 10.0, 0.0);
        assertThat(view.rows(9).get(2).json())
                .isEqualTo("{\"topic\":\"b\",\"rate\":10,\"messages\":30,\"format\":\"json\",\"shard\":0}");
    }

    @Test
    void shouldNotBeNegativeWhenATopicWasMadeAgain() {
        final LoadView view = new LoadView(sample(0, Map.of(), topic("a", 100)), sample(1, Map.of(), topic("a", 3)));

        assertThat(view.rows(1).get(0).rate()).isZero();
    }

    @Test
    void shouldTellTheRatesAndLagsOfTheWholeBrokerWhenItHasSeveralParts() {
        final Map<String, Long> counters = LoadSample.sums(List.of(
                new Stat("io-0.messagesReceived", 1000),
                new Stat("io-1.messagesReceived", 500),
                new Stat("io-0.sessions", 1),
                new Stat("io-1.subscriptions", 4),
                new Stat("shard-0.subscriptionsBehind", 1),
                new Stat("shard-1.subscriptionsBehind", 2),
                new Stat("shard-0.writtenSequence", 50),
                new Stat("shard-0.durableSequence", 40),
                new Stat("broker.errors", 7)));

        assertThat(new LoadView(sample(0, Map.of()), sample(1, counters)).head("broker"))
                .containsExactly(
                        "broker",
                        "in 1,500/s, out 0/s; 1 client, 4 subscriptions, 3 behind; 10 records not on stable storage"
                                + " yet");
    }

    private static TopicInfo topic(final String name, final long messages) {
        return new TopicInfo(name, "json", 0, 1, messages);
    }

    private static LoadSample sample(final long seconds, final Map<String, Long> counters, final TopicInfo... topics) {
        return new LoadSample(TimeUnit.SECONDS.toNanos(seconds), List.of(topics), counters);
    }
}
