package io.penstock.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.standalone.CommandFailure;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class RowsTest {
    private static final String FIRST = "{\"name\":\"a\",\"n\":1,\"inner\":{\"x\":[1,2],\"y\":\"z\"}}";
    private static final String SECOND = "{\"name\":\"b, \\\"c\\\"\",\"n\":2.5,\"more\":true}";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Command(name = "rows")
    private static final class Printing {
        @Mixin
        private RowOptions rows;
    }

    @Test
    void shouldPrintATableWhenNothingIsAskedFor() {
        assertThat(print().lines())
                .containsExactly(
                        "NAME      N  INNER                MORE",
                        "a         1  {\"x\":[1,2],\"y\":\"z\"}",
                        "b, \"c\"  2.5                       true");
    }

    @Test
    void shouldPrintRowsAsTheyAreWhenJson() {
        assertThat(print("--json")).isEqualTo(FIRST + "\n" + SECOND + "\n");
    }

    @Test
    void shouldQuoteAndKeepTheFirstRowsColumnsWhenCommaSeparated() {
        assertThat(print("--csv")).isEqualTo("""
                name,n,inner\r
                a,1,"{""x"":[1,2],""y"":""z""}"\r
                "b, ""c""\",2.5,\r
                """);
        assertThat(err.toString())
                .contains("left out: more")
                .contains("--columns")
                .hasLineCount(1);
    }

    @Test
    void shouldPrintTheColumnsInTheirOrderWhenChosen() {
        assertThat(print("--csv", "--columns", "more,name")).isEqualTo("more,name\r\n,a\r\ntrue,\"b, \"\"c\"\"\"\r\n");
        assertThat(print("--table", "--columns", "n,name")).isEqualTo("  N  NAME\n  1  a\n2.5  b, \"c\"\n");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void shouldFillInFieldsWhenATemplate() {
        assertThat(print("--template", "{{name}}\\t{{ inner.y }}|{{inner.x}}|{{nix}}|{{name.x}}\\\\n"))
                .isEqualTo("a\tz|[1,2]||\\n\nb, \"c\"\t|||\\n\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--json --csv",
                "--table --template {{a}}",
                "--json --columns a",
                "--template {{a}} --columns a",
                "--template nothing"
            })
    void shouldBeRefusedWhenOptionsDoNotGoTogether(final String arguments) {
        assertThatThrownBy(() -> print(arguments.split(" ", -1)))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("--")
                .hasMessageContaining("(");
    }

    @Test
    void shouldRefuseColumnsWhenACommandPrintsLines() {
        assertThatThrownBy(() -> options("--columns", "a").checkLines()).isInstanceOf(CommandFailure.class);
        options("--columns", "a", "--csv").checkLines();
        options().checkLines();
    }

    private String print(final String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        try (Rows rows = options(arguments).open(new PrintWriter(out), new PrintWriter(err))) {
            rows.add(FIRST);
            rows.add(SECOND);
        }
        return out.toString();
    }

    private static RowOptions options(final String... arguments) {
        final Printing printing = new Printing();
        new CommandLine(printing).parseArgs(arguments);
        return printing.rows;
    }
}
