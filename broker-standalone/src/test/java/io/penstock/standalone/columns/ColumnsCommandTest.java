package io.penstock.standalone.columns;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.admin.AdminConfig;
import io.penstock.admin.AdminServer;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.event.EventHandler;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.client.PenstockClient;
import io.penstock.client.SowRequest;
import io.penstock.standalone.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

@Timeout(60)
class ColumnsCommandTest {
    private static final String ENDPOINT = "inproc:columns-command-test";
    private static final String ORDERS = "orders";

    /** A name whose signs mean something in a URL. */
    private static final String ODD = "a/b c?d&é";

    private static final int ROW_COUNT = 5_000;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Broker broker;
    private AdminServer admin;

    @BeforeEach
    void launch() {
        launch(SecurityConfig.defaults());
    }

    private void launch(final SecurityConfig security) {
        broker = Broker.launch(BrokerConfig.builder()
                .listen(ENDPOINT)
                .events(EventHandler.NONE)
                .security(security)
                .topic(TopicConfig.keyed(ORDERS, "json", "id"))
                .topic(TopicConfig.keyed(ODD, "json", "id"))
                .build());
        admin = AdminServer.launch(AdminConfig.listening("http://127.0.0.1:0"), broker);
        try (PenstockClient client = PenstockClient.connect(ENDPOINT)) {
            for (final String topic : List.of(ORDERS, ODD)) {
                for (int i = 0; i < ROW_COUNT; i++) {
                    client.publish(topic, "{\"id\":" + i + ",\"price\":" + i + ",\"side\":\"B\",\"a b\":{\"c&d\":1}}");
                }
                client.flush();
                client.sow(SowRequest.topic(topic).filter("price < 10 AND side = 'B' AND /\"a b\"/\"c&d\" = 1"));
            }
        }
    }

    @AfterEach
    void close() {
        admin.close();
        broker.close();
    }

    private int run(final String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        final List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--admin", admin.endpoint().toString()));
        final CommandLine line = Main.commandLine(all.toArray(String[]::new));
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(all.toArray(String[]::new));
    }

    private List<String> fields(final String topic) {
        assertThat(run("columns", "list", topic, "--template", "{{kind}} {{field}}"))
                .as(err.toString())
                .isZero();
        return out.toString().lines().toList();
    }

    @Test
    void shouldListTheColumnsOfTopics() {
        assertThat(run("columns", "list", "--json")).isZero();
        assertThat(out.toString().lines()).hasSize(6);
        assertThat(out.toString())
                .containsPattern(
                        "\\{\"topic\":\"orders\",\"shard\":0,\"field\":\"price\",\"kind\":\"query\",\"rows\":5000,"
                                + "\"topicRows\":5000,\"texts\":0,\"bytes\":\\d+,\"scans\":1,\"idleMs\":\\d+}");

        assertThat(run("columns", "list", ODD, "--csv", "--columns", "field,rows"))
                .isZero();
        assertThat(out.toString().lines().skip(1)).hasSize(3).contains("price,5000", "side,5000");
        assertThat(run("columns", "list", "nothing", "--json")).isZero();
        assertThat(out.toString()).isEmpty();
        assertThat(run("columns", "list", "--csv", "--columns", "feild")).isEqualTo(Main.EXIT_USAGE);
        assertThat(err.toString()).contains("no such column: feild (did you mean field?)");
    }

    @Test
    void shouldDropColumnsOfFieldsAndOfAll() {
        final String odd = fields(ODD).stream()
                .filter(field -> field.contains("c&d"))
                .map(field -> field.substring(field.indexOf(' ') + 1))
                .findFirst()
                .orElseThrow();

        assertThat(run("columns", "drop", ODD, "price", odd)).as(err.toString()).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "the column price of " + ODD + " is dropped",
                        "the column " + odd + " of " + ODD + " is dropped");
        assertThat(fields(ODD)).contains("query side").doesNotContain("query price", "query " + odd);
        assertThat(fields(ORDERS)).contains("query price");

        assertThat(run("columns", "drop", ORDERS, "--all")).isZero();
        assertThat(out.toString().lines()).containsExactly("the columns of orders are dropped");
        assertThat(fields(ORDERS)).noneMatch(field -> field.startsWith("query"));
    }

    @Test
    void shouldSayWhatIsWrongWhenNothingCanBeDropped() {
        assertThat(run("columns", "drop", ORDERS, "nobody")).isEqualTo(Main.EXIT_FAILED);
        assertThat(err.toString()).contains("column: no such one: orders /nobody (it may be gone already");
        assertThat(run("columns", "drop", "nothing", "--all")).isEqualTo(Main.EXIT_FAILED);
        assertThat(err.toString()).contains("column: no such one: nothing");
        assertThat(run("columns", "drop", ORDERS, "(")).isEqualTo(Main.EXIT_FAILED);
        assertThat(err.toString()).contains("name a field as the list does");
        assertThat(run("columns", "drop", ORDERS)).isEqualTo(Main.EXIT_USAGE);
        assertThat(err.toString()).contains("give fields, or --all");
        assertThat(run("columns", "drop", ORDERS, "price", "--all")).isEqualTo(Main.EXIT_USAGE);
        assertThat(run("columns", "drop")).isEqualTo(Main.EXIT_USAGE);
        assertThat(fields(ORDERS)).contains("query price");
    }

    @Test
    void shouldRefuseToDropWhenTheCallerMayOnlyRead() {
        close();
        launch(new SecurityConfig(
                SecurityConfig.defaults().authenticator(),
                (principal, action, topic) -> action != Action.ADMIN_WRITE,
                false,
                AnonymousAdministration.LOCAL));

        assertThat(fields(ORDERS)).contains("query price");
        assertThat(run("columns", "drop", ORDERS, "price")).isEqualTo(Main.EXIT_FAILED);
        assertThat(err.toString()).contains("not allowed for anonymous: admin-write");
        assertThat(fields(ORDERS)).contains("query price");
    }
}
