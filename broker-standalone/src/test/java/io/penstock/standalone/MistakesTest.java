package io.penstock.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.client.PenstockClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands answer to what is wrong: where it is, why, and what helps. */
@Timeout(120)
class MistakesTest {
    private static final String ENDPOINT = "inproc:mistakes";

    @TempDir
    private static Path directory;

    private static Broker broker;

    @BeforeAll
    static void start() {
        broker = Broker.launch(BrokerConfig.builder()
                .listen(ENDPOINT)
                .topic(TopicConfig.keyed("quotes", "json", "id"))
                .topic(TopicConfig.topic("trades", "json"))
                .journal(JournalConfig.in(directory.toString()))
                .build());
        try (PenstockClient client = PenstockClient.connect(ENDPOINT)) {
            client.publish("quotes", "{\"id\":1}");
            client.publish("trades", "{\"id\":2}");
            client.flush();
        }
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp://127.0.0.1:99999", "tcp://127.0.0.1", "tcp://:9100", "tcp://h:0", "tcp://h:x"})
    void shouldRefuseTheCommandLineWhenAnEndpointHasNoPort(final String endpoint) {
        assertThat(run("topics", "-b", endpoint)).startsWith("2: ").contains("not a host and a port: " + endpoint);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "publish||-m|x",
                "topic|info||",
                "topic|delete||",
                "delete||--filter|TRUE",
                "request||x|",
                "reply||--echo|",
                "sow|||",
                "subscribe|||"
            })
    void shouldRefuseTheCommandLineWhenTheTopicIsEmpty(
            final String first, final String second, final String third, final String fourth) {
        final List<String> args = new ArrayList<>();
        args.add(first);
        args.add(second == null ? "" : second);
        if (second != null) {
            args.add("");
        }
        if (third != null) {
            args.add(third);
        }
        if (fourth != null) {
            args.add(fourth);
        }
        args.add("-b");
        args.add(ENDPOINT);
        assertThat(run(args.toArray(new String[0]))).startsWith("2: ").contains("topic is empty (name one");
    }

    @Test
    void shouldSayThatATopicIsNotThereWhenItsStateIsAsked() {
        assertThat(onBroker("sow", "quotse"))
                .isEqualTo("1: penstock sow: topic quotse: there is none (did you mean quotes?)\n");
        assertThat(onBroker("delete", "quotse", "--key", "{\"id\":1}"))
                .isEqualTo("1: penstock delete: topic quotse: there is none (did you mean quotes?)\n");
        assertThat(onBroker("delete", "xyz", "--filter", "TRUE"))
                .isEqualTo("1: penstock delete: topic xyz: there is none (see penstock topics)\n");
        assertThat(onBroker("query", "-e", "FROM quotse"))
                .isEqualTo("1: penstock query: topic quotse: there is none (did you mean quotes?)\n");
        assertThat(onBroker("sow", "trades")).startsWith("1: penstock sow: topic trades: keeps no state");
    }

    @Test
    void shouldNameTheTopicsOfTheLogWhenThereIsNoSuch() {
        final String expected = "2: %s--topic: no such topic in the log: nope, nix (there are: quotes, trades)\n";
        for (final String command : new String[] {"cat", "grep"}) {
            final String[] args = command.equals("cat")
                    ? new String[] {"log", "cat", directory.toString(), "--csv", "--topic", "nope", "--topic", "nix"}
                    : new String[] {
                        "log", "grep", directory.toString(), "id > 0", "--csv", "--topic", "nope", "--topic", "nix"
                    };
            assertThat(run(args))
                    .startsWith("2: ")
                    .endsWith(
                            expected.formatted("penstock log " + command + ": ").substring(3));
        }
        assertThat(run(
                        "log",
                        "cat",
                        directory.toString(),
                        "--template",
                        "{{message}}",
                        "--topic",
                        "trades",
                        "--to",
                        "1"))
                .as("no record of a topic that is there")
                .startsWith("0: ");
        assertThat(onBroker("replay", directory.toString(), "--topic", "nope", "--topic", "nix"))
                .isEqualTo(expected.formatted("penstock replay: "));
        assertThat(onBroker("replay", directory.toString(), "--topic", "trades"))
                .contains("published 1 message and deleted 0 records");
    }

    @Test
    void shouldSayItOnceWhenAnOptionIsWrong() {
        assertThat(run("put", "s", "x", "--block-size", "abc"))
                .isEqualTo("2: penstock put: --block-size: not a whole number: abc (use digits, then KiB, MiB or GiB if"
                        + " bytes)\n");
        assertThat(run("serve", "--idle", "foo"))
                .isEqualTo("2: penstock serve: --idle: no such choice: foo (use blocking, back_off, busy)\n");
        assertThat(run("serve", "--set", "abc"))
                .startsWith("2: penstock serve: Value for option '--set' (KEY=VALUE) should be in KEY=VALUE format");
    }

    @Test
    void shouldCountInWords() {
        try (PenstockClient client = PenstockClient.connect(ENDPOINT)) {
            client.publish("quotes", "{\"id\":7}");
            client.flush();
        }
        assertThat(onBroker("delete", "quotes", "--key", "{\"id\":7}")).isEqualTo("0: deleted 1 record of quotes\n");
        assertThat(onBroker("delete", "quotes", "--key", "{\"id\":7}")).isEqualTo("0: deleted 0 records of quotes\n");
        assertThat(onBroker("subscribe", "quotes", "--from", "7:1", "--to", "now"))
                .contains("bookmark: 7:1: the broker has 1 shard\n");
    }

    @Test
    void shouldCutWordsThatNobodyReadsToTheEnd() {
        final String name = "n".repeat(60_000);

        assertThat(onBroker("topic", "info", name))
                .contains("n".repeat(100) + "…: there is none")
                .hasSizeLessThan(400);
        assertThat(onBroker("sow", name)).hasSizeLessThan(400);
        assertThat(run(name)).hasSizeLessThan(400);
    }

    @Test
    void shouldGiveTheReasonWhenPagesCannotBeWritten() {
        assertThat(run("man", "--directory", "/proc/none/here"))
                .isEqualTo("1: penstock man: /proc/none/here: cannot be written: no such file or directory (give a"
                        + " directory of yours)\n");
    }

    @Test
    void shouldNameTheGroupsWhenNoCounterBeginsSo() {
        assertThat(onBroker("stat", "transport."))
                .startsWith("1: penstock stat: no counter begins with transport. (there are broker., ")
                .contains(", shard-0.")
                .contains(", io-0.");
        assertThat(onBroker("stat", "shard-0.messages")).startsWith("0: COUNTER");
    }

    @Test
    void shouldAnswerColumnsThatThereAreNotWithTheNearest() {
        assertThat(onBroker("topics", "--columns", "topic,fromat"))
                .isEqualTo("2: penstock topics: --columns: no such column: fromat (did you mean format?)\n");
    }

    private static String onBroker(final String... args) {
        final String[] all = Arrays.copyOf(args, args.length + 2);
        all[args.length] = "-b";
        all[args.length + 1] = ENDPOINT;
        return run(all);
    }

    private static String run(final String... args) {
        final StringWriter text = new StringWriter();
        final PrintWriter to = new PrintWriter(text);
        return Main.commandLine(args).setOut(to).setErr(to).execute(args) + ": " + text;
    }
}
