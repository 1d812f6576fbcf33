package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The forms in which commands print rows, and what is published from the command line. */
class RowFormsTest {
    private static final String LISTENING = "listening on ";

    @TempDir
    Path log;

    private Penstock broker;
    private String endpoint;

    @BeforeEach
    void serve() throws Exception {
        broker = Penstock.start("serve", "--listen", "tcp://127.0.0.1:0", "--set", "journal.directory=" + log);
        endpoint = broker.awaitLine(LISTENING).substring(LISTENING.length());
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldPublishTheTextAsOftenAsAskedWhenItIsGiven() throws Exception {
        final Penstock.Result published = run(
                "publish",
                "orders",
                "--topic-key",
                "id",
                "-m",
                "{\"id\":{{Count}},\"p\":{{Random 5 5}}}",
                "--count",
                "3");
        assertThat(published.err()).contains("published 3 messages to orders");
        assertThat(run("sow", "orders").out()).isEqualTo("{\"id\":1,\"p\":5}\n{\"id\":2,\"p\":5}\n{\"id\":3,\"p\":5}");

        final long startNs = System.nanoTime();
        assertThat(run("publish", "orders", "-m", "{\"id\":9}", "-n", "51", "--rate", "100/s")
                        .exitCode())
                .isZero();
        assertThat(System.nanoTime() - startNs).as("paced").isGreaterThan(490_000_000L);

        refused("--message: no such placeholder: {{No}}", "publish", "orders", "-m", "{{No}}");
        refused("--count: is how often", "publish", "orders", "-n", "3");
        refused("--message: given beside a file: f", "publish", "orders", "f", "-m", "x");
        refused(
                "--rate: not a rate: 1000 (use for example 1000/s or 10MiB/s)",
                "publish",
                "t",
                "-m",
                "x",
                "-r",
                "1000");
        refused("--rate: not a rate: 2x", "publish", "t", "-m", "x", "-r", "2x");
        refused("--header: given twice: a", "publish", "t", "-m", "x", "-H", "a=1", "-H", "a=2");
    }

    @Test
    void shouldPrintRecordsInTheFormThatIsAskedFor() throws Exception {
        run("publish", "orders", "--topic-key", "id", "-m", "{\"id\":1,\"a\":{\"b\":\"x, y\"}}", "-H", "region=EU");

        assertThat(run("sow", "orders", "--table", "--headers", "--keys").out().lines())
                .containsExactly("@KEY      @HEADERS   ID  A", "{\"id\":1}  region=EU   1  {\"b\":\"x, y\"}");
        assertThat(run("sow", "orders", "--csv").out().lines())
                .containsExactly("id,a", "1,\"{\"\"b\"\":\"\"x, y\"\"}\"");
        assertThat(run("sow", "orders", "--template", "{{id}}: {{a.b}} of {{@topic}}, {{@headers}}")
                        .out())
                .isEqualTo("1: x, y of orders, region=EU");
        assertThat(run("subscribe", "orders", "--from", "beginning", "--to", "now", "--json")
                        .out())
                .matches("\\{\"topic\":\"orders\",\"kind\":\"message\",\"time\":\"20[^\"]*Z\",\"bookmark\":\"0:2\","
                        + "\"key\":\"\\{\\\\\"id\\\\\":1}\",\"headers\":\\{\"region\":\"EU\"},"
                        + "\"message\":\\{\"id\":1,\"a\":\\{\"b\":\"x, y\"}}}");
        assertThat(run("topics", "--csv").out().lines())
                .containsExactly("topic,format,shard,messages", "orders,json,0,1");
        assertThat(run("stat", "io-0.sessions", "--json").out())
                .isEqualTo("{\"counter\":\"io-0.sessions\",\"value\":1}");
        assertThat(run("topic", "info", "orders", "--template", "{{messages}} {{records}}")
                        .out())
                .isEqualTo("1 1");
        assertThat(Penstock.run("log", "cat", log.toString(), "--template", "{{type}} {{message.id}}")
                        .out()
                        .lines())
                .contains("message 1");
        assertThat(Penstock.run("log", "ls", log.toString(), "--csv").out().lines())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("shard,file,first,");
        assertThat(Penstock.run("state", "ls", log.toString(), "--template", "{{topic}}={{records}}")
                        .out())
                .isEqualTo("orders=1");
        refused("--json, --csv: do not go together", "sow", "orders", "--json", "--csv");
        refused("--table: is drawn when all messages are there", "subscribe", "orders", "--table");
        assertThat(run("subscribe", "orders", "--sow", "-n", "1", "--table").out())
                .startsWith("ID  A");
        refused("--columns: are of a table", "subscribe", "orders", "--columns", "id");
    }

    @Test
    void shouldReadFromTheLogWhenATimeIsRelative() throws Exception {
        run("publish", "orders", "--topic-key", "id", "-m", "{\"id\":1}");

        assertThat(run("subscribe", "orders", "--from", "-5m", "--to", "now").out())
                .isEqualTo("{\"id\":1}");
        assertThat(run("sow", "orders", "--as-of", "yesterday 00:00").out()).doesNotContain("id");
        assertThat(Penstock.run("log", "cat", log.toString(), "--from", "today", "--json")
                        .out())
                .contains("\"message\":{\"id\":1}");
        assertThat(Penstock.run("log", "cat", log.toString(), "--to", "yesterday", "--json")
                        .out())
                .doesNotContain("\"message\"");
        refused("--from: neither a bookmark nor a time: -5", "subscribe", "orders", "--from", "-5");
        refused("-5m or 'yesterday 14:00'", "sow", "orders", "--as-of", "tomorrow");
    }

    @Test
    void shouldTellAndDeleteOneTopicWhenAsked() throws Exception {
        run("publish", "plain", "-m", "{}");

        assertThat(run("topic", "info", "plain", "--json").out())
                .isEqualTo("{\"topic\":\"plain\",\"format\":\"json\",\"shard\":0,\"messages\":1,\"records\":null}");
        assertThat(run("topic", "info", "plian").err())
                .isEqualTo("penstock topic info: topic plian: there is none (did you mean plain?)");
        assertThat(run("topic", "delete", "plain").out()).isEqualTo("topic plain is deleted");
        assertThat(run("topics").out()).doesNotContain("plain");
        assertThat(Penstock.run("delete-topic", "plain").exitCode()).isEqualTo(2);
    }

    @Test
    void shouldAnswerWhatIsTypedWhenQueried() throws Exception {
        run("publish", "orders", "--topic-key", "id", "-m", "{\"id\":{{Count}},\"p\":{{Count}}}", "-n", "4");

        final Penstock.Result asked = Penstock.runWithInput("""
                -- the sum
                SELECT SUM(p) AS s FROM orders WHERE id > 1;
                .format json
                FROM orders ORDER BY id DESC LIMIT 1
                .quit
                not reached
                """, "query", "--csv", "--broker", endpoint);
        assertThat(asked.exitCode()).as(asked.err()).isZero();
        assertThat(asked.out().lines().toList().get(1)).isEqualTo("9");
        assertThat(asked.out()).contains("\"message\":{\"id\":4,\"p\":4}");
        assertThat(run("query", "-e", ".fields orders", "-e", ".topics").out()).contains("id", "p", "orders");
        refused("query: names no topic: SELECT p", "query", "-e", "SELECT p");
        refused("query: not known: .nope (use .topics", "query", "-e", ".nope");
    }

    @Test
    void shouldShowWhatTheBrokerDoesWhenAskedOnce() throws Exception {
        run("publish", "orders", "-m", "{}");

        final Penstock.Result shown = run("top", "-n", "1");
        assertThat(shown.out())
                .contains("1 client, 0 subscriptions, 0 behind", "TOPIC", "orders")
                .doesNotContain("\033");
        assertThat(run("top", "ord", "-n", "1", "--template", "{{topic}} {{messages}}")
                        .out())
                .isEqualTo("orders 1");
        refused("--every: out of range: 0", "top", "--every", "0");
    }

    private void refused(final String reason, final String... arguments) throws Exception {
        final Penstock.Result result = run(arguments);
        assertThat(result.err()).contains(reason).hasLineCount(1);
        assertThat(result.exitCode()).isEqualTo(2);
    }

    /** Runs a command, of whose words the first one or two name it. */
    private Penstock.Result run(final String... arguments) throws Exception {
        final List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--broker", endpoint));
        return Penstock.run(all.toArray(new String[0]));
    }
}
