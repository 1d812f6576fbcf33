package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.config.ConfigException;
import io.penstock.broker.config.ConfigValue.Mapping;
import io.penstock.broker.config.ConfigValue.Scalar;
import io.penstock.broker.config.ConfigValue.Sequence;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A configuration made of keys and values by a program. */
class BrokerConfigReaderTest {
    private final Mapping values = Mapping.empty("program");

    private BrokerConfig read() {
        return BrokerConfigReader.read(values, Set.of());
    }

    private void put(final String key, final String value) {
        values.put(key, new Scalar(value, "program." + key));
    }

    @Test
    void shouldHaveTheDefaultsWhenNothingIsGiven() {
        assertThat(read()).isEqualTo(BrokerConfig.builder().build());
    }

    @Test
    void shouldTakeWhatIsGivenWhenKeysAreKnown() {
        put("window.segmentCount", "8");
        put("listen", "inproc:reader");
        final Mapping topic = Mapping.empty("program");
        topic.put("name", new Scalar("orders", "program"));
        values.put("topics", new Sequence(List.of(topic), "program"));
        final BrokerConfig config = read();
        assertThat(config.window().segmentCount()).isEqualTo(8);
        assertThat(config.listen()).containsExactly(URI.create("inproc:reader"));
        assertThat(config.topics()).extracting(TopicConfig::name).containsExactly("orders");
    }

    @Test
    void shouldNameOriginKeyAndRemedyWhenAValueIsWrong() {
        put("window.segmentCount", "many");
        assertThatThrownBy(this::read)
                .isInstanceOf(ConfigException.class)
                .hasMessage("program.window.segmentCount: window.segmentCount: not a whole number: many"
                        + " (use digits, then KiB, MiB or GiB if bytes)");
    }

    @Test
    void shouldRefuseTheKeyWhenThereIsNone() {
        put("windows.segmentCount", "8");
        assertThatThrownBy(this::read).isInstanceOf(ConfigException.class).hasMessageContaining("windows: no such key");
    }

    @Test
    void shouldBeTheSameWhenABuilderIsMadeOfIt() {
        put("window.segmentCount", "8");
        put("journal.directory", "somewhere");
        put("threading", "dedicated");
        put("ioAgentCount", "2");
        put("shardCount", "3");
        final BrokerConfig config = read();
        assertThat(config.toBuilder().build()).isEqualTo(config);
        assertThat(config.listen(List.of(URI.create("inproc:other"))).listen())
                .containsExactly(URI.create("inproc:other"));
        assertThat(config.toBuilder()
                        .topic(TopicConfig.topic("orders", "json"))
                        .build()
                        .topics())
                .hasSize(config.topics().size() + 1);
    }
}
