package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tools on the log of a broker that runs meanwhile, and on copies of it. */
class LogTest {
    private static final String LISTENING = "listening on ";

    @TempDir
    private static Path folder;

    @TempDir
    private Path copies;

    private static Penstock broker;
    private static String endpoint;
    private static String log;

    @BeforeAll
    static void publish() throws Exception {
        log = folder.resolve("log").toString();
        broker = serve("--set", "journal.directory=" + log);
        endpoint = broker.awaitLine(LISTENING).substring(LISTENING.length());
        publish("{\"id\":1,\"p\":10}\n{\"id\":2,\"p\":20}\n{\"id\":1,\"p\":11}\n", "orders", "--topic-key", "id");
        publish("{\"n\":1}\n", "config", "--topic-key", "*", "--key", "a", "--expiration-ms", "-1");
        publish("{\"p\":30}\n", "ticks");
        assertThat(Penstock.run("delete", "orders", "--key", "{\"id\":2}", "-b", endpoint)
                        .exitCode())
                .isZero();
        awaitWritten();
    }

    /** The broker answers before its files have it. */
    private static void awaitWritten() throws Exception {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Penstock.TIMEOUT_S);
        while (!Penstock.run("log", "cat", log, "--topic", "orders").out().contains("\tdelete\torders\t")) {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
        }
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void shouldListFilesAndSayWhereTheLogEndsWhenABrokerUsesIt() throws Exception {
        final Penstock.Result list = Penstock.run("log", "ls", log);

        assertThat(list.exitCode()).as(list.err()).isZero();
        assertThat(list.out())
                .startsWith("SHARD  FILE")
                .contains("0000000000000000001.log")
                .containsPattern("shard 0: [0-9]+ records, 1 to [0-9]+, .* at byte [0-9]+");
    }

    @Test
    void shouldPrintRecordsWithTheirTopicsWhenAskedForAll() throws Exception {
        final Penstock.Result cat = Penstock.run("log", "cat", log, "--topic", "orders");

        assertThat(cat.out().lines().map(LogTest::withoutTime))
                .containsExactly(
                        "topic\torders\tjson, key id",
                        "message\torders\t{\"id\":1,\"p\":10}",
                        "message\torders\t{\"id\":2,\"p\":20}",
                        "message\torders\t{\"id\":1,\"p\":11}",
                        "delete\torders\t{\"id\":2,\"p\":20}");
        assertThat(Penstock.run("log", "cat", log, "--from", "2", "--to", "3").out())
                .hasLineCount(2)
                .startsWith("0:2\t");
        assertThat(Penstock.run("log", "cat", log, "--from", "2100-01-01T00:00:00Z")
                        .out())
                .isEmpty();
    }

    @Test
    void shouldPrintKeysAndPublishersWhenAskedForJson() throws Exception {
        assertThat(Penstock.run("log", "cat", log, "--json", "--topic", "config")
                        .out())
                .contains("\"type\":\"message\"", "\"key\":\"a\",\"expires\":\"never\",\"message\":{\"n\":1}}");
        assertThat(Penstock.run("log", "cat", log, "--json", "--topic", "ticks").out())
                .contains("\"topic\":\"ticks\"", "\"message\":{\"p\":30}}");
    }

    @Test
    void shouldFindMessagesWhenTheySatisfyAFilter() throws Exception {
        final Penstock.Result grep = Penstock.run("log", "grep", log, "p > 10 AND id = 1");

        assertThat(withoutTime(grep.out())).isEqualTo("message\torders\t{\"id\":1,\"p\":11}");
        assertThat(grep.err()).isEqualTo("found 1 of 6 messages");
        assertThat(Penstock.run("log", "grep", log, "p >").exitCode()).isEqualTo(2);
    }

    @Test
    void shouldNameFileRecordAndByteWhenTheLogIsDamaged() throws Exception {
        final Path copy = copy("damaged");
        assertThat(Penstock.run("log", "verify", copy.toString()).exitCode()).isZero();
        final Path file = copy.resolve("shard-0").resolve("0000000000000000001.log");
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(4096 + 60);
            final int was = bytes.read();
            bytes.seek(4096 + 60);
            bytes.write(was ^ 4);
        }

        final Penstock.Result verify = Penstock.run("log", "verify", copy.toString());

        assertThat(verify.exitCode()).isEqualTo(1);
        assertThat(verify.out()).contains(file.toString(), "record 1 at byte 4096: its checksum is wrong");
        assertThat(Penstock.run("log", "cat", copy.toString()).exitCode()).isEqualTo(1);
        assertThat(Penstock.run("log", "ls", copy.toString()).exitCode()).isEqualTo(1);
    }

    @Test
    void shouldNameAFileThatIsMissing() throws Exception {
        final Path copy = copy("missing");
        final Path file = copy.resolve("shard-0").resolve("0000000000000000001.log");
        Files.delete(file);

        final Penstock.Result verify = Penstock.run("log", "verify", copy.toString());

        assertThat(verify.exitCode()).isEqualTo(1);
        assertThat(verify.out()).contains(file.toString(), "the file is missing");
        assertThat(Penstock.run("log", "verify", copy.toString(), "--json").out())
                .contains("{\"damage\":\"");
    }

    @Test
    void shouldSayThatNothingIsWrongWhenTheTailIsTorn() throws Exception {
        final Path copy = copy("torn");
        final Path file = copy.resolve("shard-0").resolve("0000000000000000001.log");
        final String list = Penstock.run("log", "ls", copy.toString()).out();
        final long end =
                Long.parseLong(list.substring(list.indexOf(" at byte ") + 9).strip());
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(end);
            bytes.write(new byte[] {80, 0, 0, 0, 1, 0});
        }

        final Penstock.Result verify = Penstock.run("log", "verify", copy.toString());

        assertThat(verify.exitCode()).isZero();
        assertThat(verify.out()).contains("at byte " + end + ", with bytes behind it that are no record");
    }

    @Test
    void shouldShowTheSparseIndexWhenAsked() throws Exception {
        assertThat(Penstock.run("log", "index", log)).isEqualTo(new Penstock.Result(0, "", ""));
        assertThat(Penstock.run("log", "index", log, "--entries", "--rebuild").exitCode())
                .isEqualTo(2);
        assertThat(Penstock.run("log", "index", log, "--entries", "--json").out())
                .hasLineCount(1)
                .contains("\"sequence\":1,", "\"byte\":4096}");
    }

    @Test
    void shouldMakeTheStateOfTheLogWhenThereIsNoBroker() throws Exception {
        assertThat(Penstock.run("state", "ls", log, "--json").out())
                .contains("\"topic\":\"orders\",\"key\":\"id\",\"records\":1,", "\"topic\":\"config\",\"key\":\"*\"");
        assertThat(Penstock.run("state", "cat", log, "--topic", "orders").out()).isEqualTo("{\"id\":1,\"p\":11}");
        assertThat(Penstock.run("state", "cat", log, "--topic", "config").out()).isEqualTo("a\t{\"n\":1}");
        assertThat(Penstock.run("state", "verify", log).out()).startsWith("shard 0: 2 topics with state, 2 records");
        assertThat(Penstock.run("state", "cat", log, "--topic", "none").err())
                .contains("--topic: no such topic with state in the log: none (there are: ");
    }

    @Test
    void shouldMakeAnotherBrokerTheSameWhenTheLogIsReplayed() throws Exception {
        try (Penstock other = serve()) {
            final String to = other.awaitLine(LISTENING).substring(LISTENING.length());

            final Penstock.Result replay = Penstock.run("replay", log, "--to", to);

            assertThat(replay.exitCode()).as(replay.err()).isZero();
            assertThat(replay.err()).startsWith("published 5 messages and deleted 1 record in ");
            assertThat(Penstock.run("sow", "orders", "-b", to).out()).isEqualTo("{\"id\":1,\"p\":11}");
            assertThat(Penstock.run("sow", "config", "--keys", "-b", to).out()).isEqualTo("a\t{\"n\":1}");
        }
    }

    @Test
    void shouldEndWhereTheLogEndedWhenItIsReplayedIntoItsOwnBroker() throws Exception {
        final String own = copies.resolve("own").toString();
        try (Penstock same = serve("--set", "journal.directory=" + own, "--set", "journal.fileLength=1048576")) {
            final String to = same.awaitLine(LISTENING).substring(LISTENING.length());
            Penstock.runWithInput("{\"p\":30}\n".repeat(20_000), "publish", "again", "-b", to);
            Penstock.run("subscribe", "again", "--from", "beginning", "--to", "now", "-b", to);

            final Penstock.Result replay = Penstock.run("replay", own, own, "--topic", "again", "--to", to);

            assertThat(replay.exitCode()).as(replay.err()).isZero();
            assertThat(replay.err()).startsWith("published 40,000 messages and deleted 0 records");
            assertThat(Penstock.run("subscribe", "again", "--from", "beginning", "--to", "now", "-b", to)
                            .out()
                            .lines())
                    .hasSize(60_000);
        }
    }

    @Test
    void shouldKeepThePaceOfLinesWhenTheySayTheirTimes() throws Exception {
        final Path file = copies.resolve("lines.ndjson");
        Files.writeString(file, "{\"at\":1000}\n{\"at\":\"1970-01-01T00:00:03Z\"}\n");
        final long startNs = System.nanoTime();

        final Penstock.Result replay = Penstock.run(
                "replay", file.toString(), "--to", endpoint, "--topic", "paced", "--rate", "2x", "--time-field", "at");

        assertThat(replay.err()).startsWith("published 2 messages and deleted 0");
        assertThat(System.nanoTime() - startNs).isGreaterThan(1_000_000_000);
    }

    @Test
    void shouldNameInputReasonAndRemedyWhenTheDirectoryIsNone() throws Exception {
        assertThat(Penstock.run("log", "verify", folder.resolve("none").toString()))
                .isEqualTo(new Penstock.Result(
                        2,
                        "",
                        "penstock log verify: " + folder.resolve("none")
                                + ": no such directory (give the journal.directory of a broker)"));
        assertThat(Penstock.run("log", "ls", copies.toString()).err())
                .startsWith("penstock log ls: " + copies + ": holds no log: neither shard-0 nor files such as");
        assertThat(Penstock.run("replay", "none.ndjson", "--topic", "t").err())
                .contains("none.ndjson: no such file or directory");
        assertThat(Penstock.run("replay", log, "--rate", "fast").err()).contains("--rate: not a rate: fast");
        assertThat(Penstock.run("log", "cat", log, "--from", "some day").exitCode())
                .isEqualTo(2);
    }

    private Path copy(final String name) throws IOException {
        final Path copy = copies.resolve(name);
        final List<Path> files;
        try (Stream<Path> walk = Files.walk(Path.of(log))) {
            files = walk.toList();
        }
        for (final Path file : files) {
            if (!file.toString().endsWith(".tmp")) {
                Files.copy(file, copy.resolve(Path.of(log).relativize(file)));
            }
        }
        return copy;
    }

    /** Without the place and the time before the first two tabs. */
    private static String withoutTime(final String line) {
        return line.substring(line.indexOf('\t', line.indexOf('\t') + 1) + 1);
    }

    private static Penstock serve(final String... more) throws IOException {
        final String[] all = new String[more.length + 7];
        System.arraycopy(
                new String[] {
                    "serve",
                    "--listen",
                    "tcp://127.0.0.1:0",
                    "--set",
                    "sessions.messageLengthMax=65536",
                    "--set",
                    "journal.fileLength=262144"
                },
                0,
                all,
                0,
                7);
        System.arraycopy(more, 0, all, 7, more.length);
        return Penstock.start(all);
    }

    private static void publish(final String lines, final String topic, final String... options) throws Exception {
        final String[] all = new String[options.length + 4];
        all[0] = "publish";
        all[1] = topic;
        all[2] = "-b";
        all[3] = endpoint;
        System.arraycopy(options, 0, all, 4, options.length);
        assertThat(Penstock.runWithInput(lines, all).exitCode()).isZero();
    }
}
