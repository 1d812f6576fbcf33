package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** State from the command line. */
class StateTest {
    private static final int TRIES = 10;

    private static final String LISTENING = "listening on ";

    private static Penstock broker;
    private static String endpoint;

    @BeforeAll
    static void serve() throws Exception {
        broker = Penstock.start("serve", "--listen", "tcp://127.0.0.1:0");
        endpoint = broker.awaitLine(LISTENING).substring(LISTENING.length());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void shouldAnswerQueriesAsLinesTablesAndStatsWhenATopicHasAKey() throws Exception {
        final String lines = """
            {"id":1,"price":10.5,"side":"B"}
            {"id":2,"price":20,"side":"S"}
            {"id":3,"price":30,"side":"B"}
            {"id":1,"price":11.5,"side":"B"}
            """;
        assertThat(publish(lines, "orders", "--topic-key", "id").exitCode()).isZero();
        assertThat(publish("{\"id\":2,\"price\":21}\n", "orders", "--delta").exitCode())
                .isZero();

        final Penstock.Result top =
                run("sow", "orders", "price > 11", "--order-by", "price DESC", "--top", "2", "--stats");
        assertThat(top.out())
                .isEqualTo("{\"id\":3,\"price\":30,\"side\":\"B\"}\n{\"id\":2,\"price\":21,\"side\":\"S\"}");
        assertThat(top.err()).startsWith("3 records looked at, 3 matched, 2 returned; as of 0:");

        final Penstock.Result explained = run("sow", "orders", "price * 2 > 50", "--explain");
        assertThat(explained.out()).isEqualTo("{\"id\":3,\"price\":30,\"side\":\"B\"}");
        assertThat(explained.err())
                .startsWith("query: 1 worker, ")
                .contains("3 rows, looked at 3 records, 1 matched, read 3")
                .contains("rows: by records (less than 4096 rows)")
                .contains("price * 2 > 50: filter (arithmetic)");

        final Penstock.Result joined = run(
                "sow",
                "orders",
                "/x/price > 0",
                "--join",
                "JOIN orders AS x ON /orders/id = /x/id",
                "--select",
                "/x/id, /orders/side",
                "--order-by",
                "/x/id",
                "--top",
                "1");
        assertThat(joined.out()).startsWith("{\"id\":1,").doesNotContain("\n");
        assertThat(joined.err()).isEmpty();

        final Penstock.Result table = run(
                "sow",
                "orders",
                "--select",
                "side, COUNT(*) AS n, AVG(price) AS mean",
                "--group-by",
                "side",
                "--order-by",
                "side",
                "--table");
        assertThat(table.out()).isEqualTo("SIDE  N   MEAN\nB     2  20.75\nS     1     21");

        assertThat(run("sow", "orders", "--key", "{\"id\":1}").out())
                .isEqualTo("{\"id\":1,\"price\":11.5,\"side\":\"B\"}");
    }

    @Test
    void shouldLetRecordsOfATopicExpireWhenItIsDeclaredSo() throws Exception {
        publish("{\"id\":1}\n", "short", "--topic-key", "id", "--topic-expiration-ms", "1");
        publish("{\"id\":2}\n", "short", "--expiration-ms", "-1");
        assertThat(run("sow", "short").out()).isEqualTo("{\"id\":2}");
        assertThat(publish("", "short", "--topic-expiration-ms", "5").err()).contains("add --topic-key");
        assertThat(publish("", "short", "--topic-key", "id", "--topic-expiration-ms", "-5")
                        .err())
                .contains("--topic-expiration-ms: too small: -5");
    }

    @Test
    void shouldResetAPublisherThatIsKnown() throws Exception {
        final Penstock.Result unknown = run("reset-publisher", "nobody");
        assertThat(unknown.exitCode()).isNotZero();
        assertThat(unknown.err()).contains("no such publisher: client nobody of anonymous");
        assertThat(run("reset-publisher", "nobody", "--to", "-1").err()).contains("--to: below 0: -1");
    }

    @Test
    void shouldPrintTheNewestOfTheRecordsWithTheSameConflationKey() throws Exception {
        publish("{\"id\":1,\"s\":\"A\"}\n", "merged", "--topic-key", "id");
        try (Penstock subscriber = Penstock.start(
                "subscribe", "merged", "--conflation-ms", "6000", "--conflation-key", "s", "-n", "1", "-b", endpoint)) {
            subscriber.awaitErrorLine("subscribed to merged");
            publish("{\"id\":2,\"s\":\"B\"}\n{\"id\":3,\"s\":\"B\"}\n", "merged");
            assertThat(subscriber.await().out()).isEqualTo("{\"id\":3,\"s\":\"B\"}");
        }
        assertThat(run("subscribe", "merged", "--conflation-key", "s").err()).contains("add --conflation-ms");
    }

    /** There is no warning when the answer takes a second. */
    private static Penstock.Result runUntilWarned(final int count, final String... arguments) throws Exception {
        Penstock.Result result = run(arguments);
        for (int i = 1; i < TRIES && warningCount(result) < count; i++) {
            result = run(arguments);
        }
        return result;
    }

    private static long warningCount(final Penstock.Result result) {
        return result.err().lines().filter(line -> line.startsWith("warning: ")).count();
    }

    @Test
    void shouldWarnOfFieldsInAFilterThatNoRecordHas() throws Exception {
        publish("{\"id\":1,\"price\":2,\"leg\":{\"side\":\"B\"}}\n{\"id\":2}\n", "spelt", "--topic-key", "id");

        final Penstock.Result wrong = runUntilWarned(2, "sow", "spelt", "prize > 1 OR price > 1 OR /leg/size = 1");
        assertThat(wrong.out()).isEqualTo("{\"id\":1,\"price\":2,\"leg\":{\"side\":\"B\"}}");
        assertThat(wrong.err().lines())
                .containsExactly(
                        "warning: no record of spelt has a value in /prize now (look how it is spelt: upper and lower"
                                + " case differ)",
                        "warning: no record of spelt has a value in /leg/size now (look how it is spelt: upper and"
                                + " lower case differ)");
        assertThat(run("sow", "spelt", "price > 5 AND /leg/side = 'S'").err()).isEmpty();
        assertThat(runUntilWarned(1, "subscribe", "spelt", "-f", "Price > 1", "--seconds", "1")
                        .err())
                .contains("warning: no record of spelt has a value in /Price now");
        assertThat(run("subscribe", "stateless-of-fields", "-f", "Price > 1", "--seconds", "1")
                        .err())
                .doesNotContain("warning");
    }

    @Test
    void shouldDeleteByKeyAndByFilterWhenAsked() throws Exception {
        publish("{\"n\":1}\n", "config", "--topic-key", "*", "--key", "a");
        publish("{\"n\":2}\n", "config", "--key", "b");
        publish("{\"n\":3}\n", "config", "--key", "c", "--expiration-ms", "-1");

        assertThat(run("sow", "config", "n < 3", "--order-by", "n", "--keys").out())
                .isEqualTo("a\t{\"n\":1}\nb\t{\"n\":2}");
        assertThat(run("delete", "config", "--key", "a", "--key", "none").out())
                .isEqualTo("deleted 1 record of config");
        assertThat(run("delete", "config", "--filter", "TRUE").out()).isEqualTo("deleted 2 records of config");
        assertThat(run("sow", "config").out()).isEmpty();
    }

    @Test
    void shouldMarkKindsWhenASubscriberFollowsState() throws Exception {
        publish("{\"id\":1,\"n\":10}\n{\"id\":2,\"n\":20}\n", "followed", "--topic-key", "id");
        try (Penstock subscriber = Penstock.start(
                "subscribe",
                "followed",
                "--sow",
                "--oof",
                "--delta",
                "--kinds",
                "--order-by",
                "id",
                "-f",
                "n > 5",
                "-n",
                "5",
                "-b",
                endpoint)) {
            subscriber.awaitErrorLine("subscribed to followed");
            publish("{\"id\":1,\"n\":11}\n{\"id\":3,\"n\":30}\n{\"id\":2,\"n\":1}\n", "followed");

            assertThat(subscriber.await().out())
                    .isEqualTo("state\t{\"id\":1,\"n\":10}\nstate\t{\"id\":2,\"n\":20}\ndelta\t{\"id\":1,\"n\":11}\n"
                            + "message\t{\"id\":3,\"n\":30}\noof-match\t{\"id\":2,\"n\":1}");
        }
    }

    @Test
    void shouldNameInputReasonAndRemedyWhenStateIsAskedInTheWrongWay() throws Exception {
        publish("{}\n", "stateless");

        final Penstock.Result stateless = run("sow", "stateless");
        assertThat(stateless.exitCode()).isEqualTo(1);
        assertThat(stateless.err())
                .isEqualTo("penstock sow: topic stateless: keeps no state (declare it with a key, or check the name)");
        assertThat(run("sow", "t", "--order-by", "price DOWN").exitCode()).isEqualTo(2);
        assertThat(run("sow", "t", "--top", "-5").err())
                .isEqualTo("penstock sow: --top: too small: -5 (use 0 or more)");
        assertThat(run("delete", "t").err()).startsWith("penstock delete: neither --filter nor --key is given");
        assertThat(run("delete", "t", "-f", "TRUE", "--key", "1").exitCode()).isEqualTo(2);
        assertThat(run("subscribe", "t", "--top", "5").err()).contains("are about the state (add --sow)");
        assertThat(run("subscribe", "t", "--no-empties").exitCode()).isEqualTo(2);
    }

    private static Penstock.Result publish(final String lines, final String topic, final String... options)
            throws Exception {
        final String[] all = new String[options.length + 4];
        all[0] = "publish";
        all[1] = topic;
        all[2] = "-b";
        all[3] = endpoint;
        System.arraycopy(options, 0, all, 4, options.length);
        return Penstock.runWithInput(lines, all);
    }

    private static Penstock.Result run(final String... arguments) throws Exception {
        final String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "-b";
        all[arguments.length + 1] = endpoint;
        return Penstock.run(all);
    }
}
