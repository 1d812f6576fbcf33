package io.penstock.standalone.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConformanceRunnerTest {
    private static final Path CASES = Path.of("..", "tests", "conformance");

    @TempDir
    private Path folder;

    private final StringWriter report = new StringWriter();

    private boolean run(final Path... files) throws IOException {
        final ConformanceRunner runner = new ConformanceRunner();
        for (final Path file : files) {
            runner.read(file);
        }
        return runner.run(new PrintWriter(report));
    }

    private Path file(final String name, final String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private Path caseFile(final String tier, final String expression, final String expected, final String rest)
            throws IOException {
        return file(
                "cases.json",
                "{\"cases\":[{\"id\":\"C1\",\"tier\":\"" + tier + "\",\"category\":\"c\",\"expression\":\"" + expression
                        + "\",\"expected\":" + expected + ",\"fields\":{\"a\":{\"type\":\"int\",\"value\":1}}" + rest
                        + "}]}");
    }

    @Test
    void shouldPassAllWhenCasesAreThoseOfOthersWithOurDecisions() throws IOException {
        final boolean isConformant = run(
                CASES.resolve("selector-cases.json"),
                CASES.resolve("three-valued-logic-cases.json"),
                CASES.resolve("decisions.json"));
        assertThat(isConformant).isTrue();
        assertThat(report.toString())
                .contains("core (all)                       442       0")
                .contains("sql (all)                         26       0")
                .contains("choice (all)                      78       0")
                .doesNotContain("expected")
                .doesNotContain("no such case");
    }

    @Test
    void shouldFailWhenACoreCaseFails() throws IOException {
        assertThat(run(caseFile("core", "a = 2", "true", ""))).isFalse();
        assertThat(report.toString()).contains("core C1: expected true, got false: a = 2");
    }

    @Test
    void shouldReportButNotFailWhenAChoiceDiffers() throws IOException {
        assertThat(run(caseFile("choice", "a = 2", "true", ""))).isTrue();
        assertThat(report.toString()).contains("choice C1: expected true, got false: a = 2");
    }

    @Test
    void shouldExpectWhatWasDecidedWhenTheCaseIsAChoice() throws IOException {
        final Path decisions = file("decisions.json", "{\"decisions\":[{\"id\":\"C1\",\"expected\":\"false\"}]}");
        assertThat(run(caseFile("choice", "a = 2", "true", ""), decisions)).isTrue();
        assertThat(report.toString()).doesNotContain("C1");
    }

    @Test
    void shouldIgnoreADecisionWhenTheCaseIsNoChoice() throws IOException {
        final Path decisions = file("decisions.json", "{\"decisions\":[{\"id\":\"C1\",\"expected\":\"false\"}]}");
        assertThat(run(caseFile("core", "a = 2", "true", ""), decisions)).isFalse();
    }

    @Test
    void shouldNameADecisionWhenItsCaseIsMissing() throws IOException {
        final Path decisions = file("decisions.json", "{\"decisions\":[{\"id\":\"C9\",\"expected\":\"false\"}]}");
        run(caseFile("core", "a = 1", "true", ""), decisions);
        assertThat(report.toString()).contains("decision C9: no such case");
    }

    @Test
    void shouldDistinguishFalseFromUnknownWhenTruthIsStated() throws IOException {
        assertThat(run(caseFile("core", "b = 2", "false", ",\"truth\":\"F\""))).isFalse();
        assertThat(report.toString()).contains("expected true, got false: NOT (b = 2)");
    }

    @Test
    void shouldFailWhenABadTextCompiles() throws IOException {
        assertThat(run(caseFile("core", "a = 1", "\"invalid\"", ""))).isFalse();
        assertThat(report.toString()).contains("expected invalid, got true");
    }

    @Test
    void shouldFailWhenAGoodTextIsRefused() throws IOException {
        assertThat(run(caseFile("sql", "a = ", "\"valid\"", ""))).isFalse();
        assertThat(report.toString()).contains("expected valid, got filter: expected a value at 5: a =");
    }

    @Test
    void shouldRefuseAFileWhenItHoldsNoCases() {
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> run(file("list.json", "[1, 2]")));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> run(file("bad.json", "{\"cases\":[1]}")));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> run(file("text.json", "\nnonsense")))
                .withMessageContaining("text.json:2: not JSON: ");
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> run(file("none.json", "")));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> run(folder.resolve("missing.json")));
    }
}
