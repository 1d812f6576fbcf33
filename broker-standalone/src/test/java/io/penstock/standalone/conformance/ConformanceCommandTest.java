package io.penstock.standalone.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ConformanceCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();

    private int execute(final String... args) {
        final CommandLine command = new CommandLine(new ConformanceCommand());
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(new StringWriter()));
        return command.execute(args);
    }

    private String cases(final String expected) throws IOException {
        final String json = "{\"cases\":[{\"id\":\"C1\",\"category\":\"c\",\"expression\":\"TRUE\",\"fields\":{},"
                + "\"expected\":" + expected + "}]}";
        return Files.writeString(folder.resolve("cases.json"), json).toString();
    }

    @Test
    void shouldExitWithZeroWhenAllPass() throws IOException {
        assertThat(execute(cases("true"))).isZero();
        assertThat(out.toString()).contains("core c");
    }

    @Test
    void shouldExitWithOneWhenACoreCaseFails() throws IOException {
        assertThat(execute(cases("false"))).isEqualTo(1);
    }

    @Test
    void shouldExitWithTwoWhenNoFileIsGiven() {
        assertThat(execute()).isEqualTo(2);
    }
}
