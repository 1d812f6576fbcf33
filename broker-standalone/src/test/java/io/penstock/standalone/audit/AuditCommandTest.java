package io.penstock.standalone.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.AuditConfig;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.security.audit.AuditClient;
import io.penstock.broker.security.audit.AuditKind;
import io.penstock.standalone.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What an administrator sees of an audit. */
class AuditCommandTest {
    private static final AuditClient BOB = new AuditClient("user bob", "bob", "desk", "tcp://10.0.0.7:4711");
    private static final AuditClient ANN = new AuditClient("user ann", "ann", "", "tcp://10.0.0.8:4711");

    @TempDir
    private Path folder;

    @BeforeEach
    void write() {
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                .listen("inproc:audit-command-test")
                .threading(ThreadingMode.INVOKER)
                .audit(AuditConfig.in(folder.toString()))
                .build())) {
            broker.audit().record(AuditKind.LOGGED_ON, BOB, false, 0, "logon", "");
            broker.audit().record(AuditKind.REFUSED, BOB, true, 0, "", "publish to secret: not allowed for bob");
            broker.audit().record(AuditKind.ADMINISTRATION, ANN, false, 0, "delete topic t", "");
        }
    }

    @Test
    void shouldSayThatAllIsRightWhenItIs() throws IOException {
        final Result result = run("audit", "verify", folder.toString());

        assertThat(result.exitCode).isZero();
        assertThat(result.out).matches("5 entries in 1 file, the last is 5:[0-9a-f]{64}\n");
        assertThat(run("audit", "verify", file().toString()).out).isEqualTo(result.out);
    }

    @Test
    void shouldNameTheEntryWhenItWasChanged() throws IOException {
        Files.writeString(file(), Files.readString(file()).replace("publish to secret", "publish to orders"));
        final Result verified = run("audit", "verify", folder.toString());
        final Result shown = run("audit", "show", folder.toString(), "--json");

        assertThat(verified.exitCode).isEqualTo(Main.EXIT_FAILED);
        assertThat(verified.out)
                .startsWith("BROKEN: " + file().getFileName() + ", line 3: entry 3 is not as it was written")
                .contains("right before that: 2 entries");
        assertThat(shown.exitCode).isEqualTo(Main.EXIT_FAILED);
        assertThat(shown.out.lines()).hasSize(2);
        assertThat(shown.err)
                .contains("line 3: entry 3 is not as it was written")
                .contains("its file has what follows");
    }

    @Test
    void shouldFailWhenTheBeginningOrEverythingWasCutOff() throws IOException {
        final List<String> lines = Files.readAllLines(file());
        Files.writeString(file(), String.join("\n", lines.subList(3, 5)) + "\n");
        final Result cut = run("audit", "verify", folder.toString());
        Files.writeString(file(), "");
        final Result emptied = run("audit", "verify", folder.toString());

        assertThat(cut.exitCode).isEqualTo(Main.EXIT_FAILED);
        assertThat(cut.out).startsWith("BROKEN: ").contains("line 1: entry 4 is not the first");
        assertThat(emptied.exitCode).isEqualTo(Main.EXIT_FAILED);
        assertThat(emptied.out).startsWith("BROKEN: ").contains("the first entry is not here");
    }

    @Test
    void shouldMissTheEndWhenItWasCutOffAndAHashIsExpected() throws IOException {
        final String head = run("audit", "verify", folder.toString()).out.replaceAll("(?s).* is (5:\\w+).*", "$1");
        assertThat(run("audit", "verify", folder.toString(), "--expect", head).exitCode)
                .isZero();
        final List<String> lines = Files.readAllLines(file());
        Files.writeString(file(), String.join("\n", lines.subList(0, 4)) + "\n");

        assertThat(run("audit", "verify", folder.toString()).exitCode).isZero();
        final Result expected = run("audit", "verify", folder.toString(), "--expect", head);
        assertThat(expected.exitCode).isEqualTo(Main.EXIT_FAILED);
        assertThat(expected.out).contains("BROKEN: entry 5 is not here, or has another hash than");
        assertThat(run("audit", "verify", folder.toString(), "--expect", "5:xyz").exitCode)
                .isEqualTo(Main.EXIT_USAGE);
    }

    @Test
    void shouldShowWhatIsAskedFor() throws IOException {
        assertThat(rows()).hasSize(5);
        assertThat(rows("--user", "bob")).hasSize(2);
        assertThat(rows("--user", "bob", "--refused"))
                .singleElement()
                .asString()
                .contains("\"kind\":\"refused\"")
                .contains("\"peer\":\"tcp://10.0.0.7:4711\"")
                .contains("\"reason\":\"publish to secret: not allowed for bob\"");
        assertThat(rows("--client", "desk")).hasSize(2);
        assertThat(rows("--kind", "administration", "--kind", "started")).hasSize(2);
        assertThat(rows("--since", "-1h")).hasSize(5);
        assertThat(rows("--until", "-1h")).isEmpty();
        assertThat(run("audit", "show", folder.toString(), "--csv", "--columns", "entry,user").out)
                .isEqualTo("entry,user\r\n1,\r\n2,bob\r\n3,bob\r\n4,ann\r\n5,\r\n");
    }

    @Test
    void shouldSayWhatToGiveWhenSomethingElseWasGiven() throws IOException {
        assertThat(run("audit", "verify", folder.resolve("nothing").toString()).err)
                .contains("no such file or directory (give the audit.directory");
        assertThat(run(
                                "audit",
                                "show",
                                Files.createDirectory(folder.resolve("empty")).toString())
                        .err)
                .contains("no files of an audit in it");
        assertThat(run("audit", "show", folder.toString(), "--kind", "logons").err)
                .contains("--kind: no such kind: logons (use started, stopped, loggedOn,");
        assertThat(run("audit", "show", folder.toString(), "--since", "soon").err)
                .contains("--since: no time: soon");
        assertThat(run("audit").exitCode).isEqualTo(Main.EXIT_USAGE);
    }

    private List<String> rows(final String... options) throws IOException {
        final String[] args = new String[options.length + 4];
        args[0] = "audit";
        args[1] = "show";
        args[2] = folder.toString();
        args[3] = "--json";
        System.arraycopy(options, 0, args, 4, options.length);
        final Result result = run(args);
        assertThat(result.exitCode).isZero();
        return result.out.lines().toList();
    }

    private Path file() {
        return folder.resolve("audit-0000000001.jsonl");
    }

    private record Result(int exitCode, String out, String err) {}

    private static Result run(final String... args) {
        final StringWriter out = new StringWriter();
        final StringWriter err = new StringWriter();
        final CommandLine line =
                Main.commandLine(args).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return new Result(line.execute(args), out.toString(), err.toString());
    }
}
