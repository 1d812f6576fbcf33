package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.ViewConfig;
import org.junit.jupiter.api.Test;

/** Nodes recognize each other's settings by a fingerprint that depends on nothing else. */
class GreetingTest {
    private static BrokerConfig.Builder settings(final String columns) {
        return BrokerConfig.builder()
                .shardCount(2)
                .topic(new TopicConfig("prices", false, "json", 1, "id", 2000, true, columns))
                .topic(TopicConfig.rule("raw\\..*", "binary"))
                .view(new ViewConfig(
                        "sums",
                        "prices",
                        "price > 1",
                        "id, SUM(price)",
                        "id",
                        ViewConfig.Window.NONE,
                        ViewConfig.Join.NONE));
    }

    private static String text(final BrokerConfig.Builder settings) {
        return Greeting.of(settings.build()).text();
    }

    /** When this fails, nodes do not go on with a cluster that was begun by an earlier version. */
    @Test
    void shouldBeThatOfEarlierVersionsWhenSettingsAreTheSame() {
        assertThat(text(settings(""))).isEqualTo("ba1ca3186acb1c0fd84da214c1ee875614e4b425d61a0239a404c411cf0b286b");
    }

    @Test
    void shouldNotDependOnColumns() {
        assertThat(text(settings("price"))).isEqualTo(text(settings("")));
    }

    @Test
    void shouldDifferWhenWhatIsWrittenDoes() {
        assertThat(text(settings("").shardCount(3))).isNotEqualTo(text(settings("")));
        assertThat(text(settings("").formatDefault("binary"))).isNotEqualTo(text(settings("")));
        assertThat(text(settings("").topic(TopicConfig.topic("more", "json")))).isNotEqualTo(text(settings("")));
        assertThat(text(settings("")
                        .view(new ViewConfig(
                                "more",
                                "prices",
                                "",
                                "id, SUM(price)",
                                "id",
                                ViewConfig.Window.NONE,
                                ViewConfig.Join.NONE))))
                .isNotEqualTo(text(settings("")));
    }
}
