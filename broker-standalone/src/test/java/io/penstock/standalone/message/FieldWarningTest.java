package io.penstock.standalone.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSet;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FieldWarningTest {
    private static final int TRIES = 10;

    private final CachedNanoClock clock = new CachedNanoClock();

    @Test
    void shouldAskForAsLongAsThereIsTimeForAllFieldsTogether() {
        final List<Duration> given = new ArrayList<>();

        final List<String> missing = FieldWarning.missing(fields("a", "b", "c", "d", "e"), clock, (field, left) -> {
            given.add(left);
            clock.advance(TimeUnit.MILLISECONDS.toNanos(400));
            return !field.equals("/b");
        });

        assertThat(missing).containsExactly("/a", "/c");
        assertThat(given).containsExactly(Duration.ofMillis(1_000), Duration.ofMillis(600), Duration.ofMillis(200));
    }

    @Test
    void shouldNameWhatNoRecordHas() {
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                        .listen("inproc:field-warning")
                        .topic(TopicConfig.keyed("s", "json", "id"))
                        .build());
                PenstockClient client = PenstockClient.connect(
                        ClientConfig.builder(broker.endpoints().get(0).toString())
                                .build())) {
            client.publish("s", "{\"id\":1,\"price\":2}");
            client.flush(Duration.ofSeconds(10));

            // There is none when the answer takes a second.
            String warnings = "";
            for (int i = 0; i < TRIES && warnings.isEmpty(); i++) {
                warnings = warnings(client, "s", "prize > 1 OR price > 1");
            }
            assertThat(warnings)
                    .isEqualTo(
                            "warning: no record of s has a value in /prize now (look how it is spelt: upper and lower"
                                    + " case differ)");
            assertThat(warnings(client, "s", "price > 7")).isEmpty();
            assertThat(warnings(client, "s", "prize >")).isEmpty();
            assertThat(warnings(client, "nobody", "prize > 1")).isEmpty();
        }
    }

    private static String warnings(final PenstockClient client, final String topic, final String filter) {
        final StringWriter err = new StringWriter();
        FieldWarning.warn(client, topic, false, filter, new PrintWriter(err));
        return err.toString().strip();
    }

    private static FieldSet fields(final String... names) {
        final FieldSet fields = new FieldSet();
        for (final String name : names) {
            fields.slotOf(FieldPath.of(name));
        }
        return fields;
    }
}
