package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Headers, requests and replies from the command line. */
class HeadersCommandTest {
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
    void shouldPublishShowAndFindHeaders() throws Exception {
        publish("{\"id\":1}\n", "-H", "region=EU", "--header", "note=a=b");
        publish("{\"id\":2}\n", "-H", "region=US");
        publish("{\"id\":3}\n");
        final Penstock.Result shown =
                run("subscribe", "orders", "--from", "beginning", "--to", "now", "--headers", "--keys");
        assertThat(shown.out()).isEqualTo("""
                        {"id":1}\tregion=EU, note=a=b\t{"id":1}
                        {"id":2}\tregion=US\t{"id":2}
                        {"id":3}\t\t{"id":3}""");
        assertThat(run("sow", "orders", "HEADER('region') = 'US'", "--headers").out())
                .isEqualTo("region=US\t{\"id\":2}");
        assertThat(Penstock.run("log", "grep", log.toString(), "HEADER('region') LIKE 'E%'", "--json")
                        .out())
                .contains("\"headers\":{\"region\":\"EU\",\"note\":\"a=b\"}")
                .doesNotContain("\n");
        assertThat(Penstock.run("state", "cat", log.toString(), "--topic", "orders", "--json")
                        .out()
                        .lines())
                .filteredOn(line -> line.contains("\"headers\""))
                .hasSize(2)
                .anyMatch(line -> line.contains("\"headers\":{\"region\":\"US\"}"));
        assertThat(run("replay", log.toString(), "--topic", "orders").exitCode())
                .isZero();
        assertThat(run("sow", "orders", "HEADER('note') = 'a=b'").out()).isEqualTo("{\"id\":1}");
        assertThat(run("subscribe", "orders", "-H", "x").exitCode()).isEqualTo(2);
        assertThat(publish("{}\n", "-H", "region").err()).contains("--header: has no value: region (give NAME=VALUE)");
        assertThat(Penstock.run("publish", "never", "--topic-key", "id", "-H", "a b=c", "--broker", endpoint)
                        .err())
                .contains("--header: bad name: a b (use letters");
        assertThat(run("topics").out()).contains("orders").doesNotContain("never");
    }

    @Test
    void shouldAskAndAnswer() throws Exception {
        final Penstock.Result nobody = run("request", "count", "{}");
        assertThat(nobody.exitCode()).isEqualTo(1);
        assertThat(nobody.err()).contains("nobody subscribes to the topic");
        try (Penstock answering = Penstock.start(
                "reply", "count", "--broker", endpoint, "-n", "2", "-H", "by=wc", "--", "sh", "-c", "wc -c; exit 3")) {
            answering.awaitErrorLine("answering on count");
            final Penstock.Result reply = run("request", "count", "\"1234\"", "--headers");
            assertThat(reply.exitCode()).isEqualTo(1);
            assertThat(reply.err()).contains("count: the reply has an error: exit code 3");
            assertThat(reply.out().strip()).matches("by=wc, error=exit code 3, correlation-id=\\w+\t6");
            assertThat(run("request", "count", "1").out().strip()).isEqualTo("1");
        }
        try (Penstock answering = Penstock.start("reply", "echo", "--broker", endpoint, "--echo", "-f", "a = 1")) {
            answering.awaitErrorLine("answering on echo");
            assertThat(run("request", "echo", "{\"a\":1}").out()).isEqualTo("{\"a\":1}");
            final Penstock.Result late = run("request", "echo", "{\"a\":2}", "--timeout", "1");
            assertThat(late.exitCode()).isEqualTo(1);
            assertThat(late.err()).contains("no reply from echo within 1 s");
        }
        try (Penstock answering = Penstock.start("reply", "none", "--broker", endpoint, "--", "no-such-program")) {
            answering.awaitErrorLine("answering on none");
            for (int i = 0; i < 2; i++) {
                assertThat(run("request", "none", "{}", "--headers").out()).startsWith("error=cannot be run: ");
            }
        }
        assertThat(run("topics").out()).doesNotContain("_reply");
        assertThat(run("reply", "echo").err()).contains("give --text, --echo or a command");
    }

    private Penstock.Result publish(final String lines, final String... options) throws Exception {
        final List<String> arguments =
                new ArrayList<>(List.of("publish", "orders", "--topic-key", "id", "--broker", endpoint));
        arguments.addAll(List.of(options));
        return Penstock.runWithInput(lines, arguments.toArray(new String[0]));
    }

    private Penstock.Result run(final String... arguments) throws Exception {
        final List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(1, List.of("--broker", endpoint));
        return Penstock.run(all.toArray(new String[0]));
    }
}
