package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.client.AckType;
import io.penstock.client.Message;
import io.penstock.client.MessageStream;
import io.penstock.client.PenstockClient;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** State as it was, and state that is durable, from the command line and with the client. */
@Timeout(120)
class SowAsOfTest {
    @TempDir
    private static Path folder;

    private static Broker broker;
    private static String endpoint;

    /** Of the messages published: time and bookmark. */
    private static List<String[]> places = List.of();

    @BeforeAll
    static void launch() throws Exception {
        broker = Broker.launch(BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .topic(TopicConfig.keyed("quotes", "json", "symbol"))
                .topic(TopicConfig.keyed("quick", "json", "symbol").inMemory())
                .journal(JournalConfig.in(folder.resolve("journal").toString()))
                .build());
        endpoint = broker.endpoints().get(0).toString();
        try (PenstockClient client = PenstockClient.connect(endpoint)) {
            for (final String text : List.of(
                    "{\"symbol\":\"A\",\"price\":1}",
                    "{\"symbol\":\"B\",\"price\":2}",
                    "{\"symbol\":\"A\",\"price\":3}")) {
                client.publish("quotes", text, AckType.PERSISTED).join();
            }
        }
        places = Penstock.run("subscribe", "quotes", "-b", endpoint, "--from", "beginning", "--to", "now", "--long")
                .out()
                .lines()
                .map(line -> line.split("\t", -1))
                .toList();
    }

    @AfterAll
    static void close() {
        broker.close();
    }

    @Test
    void shouldPrintTheStateAsItWas() throws Exception {
        final String time = places.get(0)[0];
        final String second = places.get(1)[2];

        assertThat(sow("--order-by", "symbol", "--as-of", second, "--stats").out())
                .isEqualTo("{\"symbol\":\"A\",\"price\":1}\n{\"symbol\":\"B\",\"price\":2}");
        assertThat(sow("--as-of", second, "--stats").err()).contains("as of " + second);
        assertThat(sow("--as-of", time).out()).isEqualTo("{\"symbol\":\"A\",\"price\":1}");
        assertThat(sow("--as-of", places.get(2)[2], "--select", "COUNT(*) AS n, SUM(price) AS sum", "--durable")
                        .out())
                .isEqualTo("{\"n\":2,\"sum\":5}");
    }

    @Test
    void shouldSayWhatIsWrongWithThePlace() throws Exception {
        final Penstock.Result none = sow("--as-of", "some day");
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.err())
                .isEqualTo("penstock sow: --as-of: neither a bookmark nor a time: some day (use 0:1234,"
                        + " 2026-05-01T09:30:00Z, -5m or 'yesterday 14:00')");
        assertThat(sow("--as-of", "now").err()).contains("(leave --as-of out)");
        final Penstock.Result missing = sow("--as-of", "0:99999");
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err()).contains("0:99999 is not in the log, whose newest record is 0:");
        assertThat(sow("--as-of", "2999-01-01T00:00:00Z").err()).contains("a time in the future");
        assertThat(Penstock.run("sow", "quick", "-b", endpoint, "--as-of", "0:1")
                        .err())
                .contains("a topic in memory");
    }

    @Test
    void shouldPrintWhatIsDurable() throws Exception {
        assertThat(sow("--durable", "--order-by", "symbol").out())
                .isEqualTo("{\"symbol\":\"A\",\"price\":3}\n{\"symbol\":\"B\",\"price\":2}");
        assertThat(Penstock.run(
                                "subscribe",
                                "quotes",
                                "-b",
                                endpoint,
                                "--sow",
                                "--durable",
                                "--order-by",
                                "symbol",
                                "-n",
                                "1")
                        .out())
                .isEqualTo("{\"symbol\":\"A\",\"price\":3}");
        assertThat(Penstock.run("subscribe", "quotes", "-b", endpoint, "--durable")
                        .err())
                .contains("are about the state (add --sow)");
    }

    @Test
    void shouldReportToAClientWhatIsDurable() throws Exception {
        try (PenstockClient client = PenstockClient.connect(endpoint)) {
            assertThat(client.sow(SowRequest.topic("quotes").durable()).texts()).hasSize(2);
            try (MessageStream stream = client.stream(SubscribeRequest.topic("quotes")
                    .filter("symbol = 'B'")
                    .sow()
                    .durable())) {
                assertThat(stream.poll(Duration.ofSeconds(60)))
                        .extracting(Message::text)
                        .isEqualTo("{\"symbol\":\"B\",\"price\":2}");
            }
        }
    }

    private static Penstock.Result sow(final String... options) throws Exception {
        final List<String> arguments = new ArrayList<>(List.of("sow", "quotes", "-b", endpoint));
        arguments.addAll(List.of(options));
        return Penstock.run(arguments.toArray(new String[0]));
    }
}
