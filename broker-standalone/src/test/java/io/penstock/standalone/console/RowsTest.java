package io.penstock.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.standalone.CommandFailure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
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

    @Test
    void shouldMarkTextsThatASpreadsheetWouldCompute() {
        assertThat(csv("{\"=a\":\"=1+1\",\"b\":\"@SUM(A1)\",\"c\":\"+1+2\",\"d\":\"-x\",\"e\":\"\\t=1\"}"))
                .isEqualTo("'=a,b,c,d,e\r\n'=1+1,'@SUM(A1),'+1+2,'-x,'\t=1\r\n");
        assertThat(csv("{\"a\":\"\\r=1\",\"b\":\"=\\\"x, y\\\"\",\"c\":\"\uFF1D1\"}"))
                .isEqualTo("a,b,c\r\n\"'\r=1\",\"'=\"\"x, y\"\"\",'\uFF1D1\r\n");
    }

    @Test
    void shouldLeaveNumbersAndOtherTextsAsTheyAreWhenCommaSeparated() {
        assertThat(
                        csv(
                                "{\"a\":-5,\"b\":-1.5e3,\"c\":\"-12.5\",\"d\":\"+4989123\",\"e\":\"-\",\"f\":\"a=b\",\"g\":null}"))
                .isEqualTo("a,b,c,d,e,f,g\r\n-5,-1.5e3,-12.5,+4989123,-,a=b,\r\n");
        assertThat(csv("{\"@key\":\"k\",\"@time\":\"t\"}", "--columns", "@key,=x"))
                .isEqualTo("@key,=x\r\nk,\r\n");
        assertThat(csv("{\"@key\":\"k\",\"@time\":\"t\"}")).isEqualTo("@key,@time\r\nk,t\r\n");
    }

    @Test
    void shouldEscapeControlCharactersWhenSomebodyLooks() {
        final String row = "{\"a\":\"\\u001b[2J\\u0007\u009b1m\\tb\\nc\\r\"}";
        assertThat(printed(true, row, "--template", "\u001b[1m{{a}}"))
                .isEqualTo("\u001b[1m\\x1b[2J\\x07\\x9b1m\tb\nc\\x0d\n");
        assertThat(printed(true, row, "--csv")).isEqualTo("a\r\n\"\\x1b[2J\\x07\\x9b1m\tb\nc\\x0d\"\r\n");
        final String raw = "{\"a\":\"x\u009b1m\u007f\"}";
        assertThat(printed(true, raw, "--json")).isEqualTo("{\"a\":\"x\\u009b1m\\u007f\"}\n");
        assertThat(printed(false, raw, "--json")).isEqualTo(raw + "\n");
        assertThat(printed(false, row, "--template", "{{a}}")).isEqualTo("\u001b[2J\u0007\u009b1m\tb\nc\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--json --csv",
                "--table --template {{a}}",
                "--json --columns a",
                "--template {{a}} --columns a",
                "--csv --columns a,,b",
                "--template nothing"
            })
    void shouldBeRefusedWhenOptionsDoNotGoTogether(final String arguments) {
        assertThatThrownBy(() -> print(arguments.split(" ", -1)))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("--")
                .hasMessageContaining("(");
    }

    @Test
    void shouldHaveTheSameColumnsWhateverTheFirstRowHasWhenTheCommandSaysWhichThereAre() {
        final List<String> columns = List.of("name", "n", "inner", "more");
        assertThat(printed(columns, List.of(FIRST, SECOND), "--csv")).isEqualTo("""
                name,n,inner,more\r
                a,1,"{""x"":[1,2],""y"":""z""}",\r
                "b, ""c""\",2.5,,true\r
                """);
        assertThat(printed(columns, List.of(), "--csv")).isEqualTo("name,n,inner,more\r\n");
        assertThat(printed(columns, List.of(SECOND), "--csv", "--columns", "more,n"))
                .isEqualTo("more,n\r\ntrue,2.5\r\n");
        assertThat(printed(columns, List.of(SECOND), "--table", "--columns", "more,n"))
                .isEqualTo("MORE    N\ntrue  2.5\n");
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--csv --columns nam,n",
                "--table --columns n,nam",
                "--columns nam",
                "--template {{n}}{{nam}}",
                "--template {{nam.x}}"
            })
    void shouldNameTheNearestWhenThereIsNoSuchColumn(final String arguments) {
        assertThatThrownBy(() -> printed(List.of("name", "n", "inner"), List.of(FIRST), arguments.split(" ", -1)))
                .isInstanceOf(CommandFailure.class)
                .hasMessage("%s: no such column: nam (did you mean name?)"
                        .formatted(arguments.startsWith("--template") ? "--template" : "--columns"));
    }

    @Test
    void shouldNameAllColumnsWhenNoneIsNear() {
        assertThatThrownBy(() -> printed(List.of("name", "n", "inner"), List.of(FIRST), "--csv", "--columns", "xyz"))
                .hasMessage("--columns: no such column: xyz (there are name, n, inner)");
        assertThat(printed(List.of("name", "n", "inner"), List.of(FIRST), "--template", "{{inner.y}}"))
                .isEqualTo("z\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--csv --columns nam,n", "--table --columns n,nam", "--columns nam", "--template {{n}}{{nam.x}}"
            })
    void shouldWarnWhenNoRowHasAColumn(final String arguments) {
        print(arguments.split(" ", -1));

        assertThat(err.toString())
                .isEqualTo("warning: %s: no row has a field of this name: %s (did you mean name?)%n"
                        .formatted(
                                arguments.startsWith("--template") ? "--template" : "--columns",
                                arguments.startsWith("--template") ? "nam.x" : "nam"));
        print("--template", "{{n}} {{more}} {{inner.x}} {{name.x}}");
        assertThat(err.toString()).isEmpty();
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

    private String csv(final String row, final String... more) {
        final List<String> arguments = new ArrayList<>(List.of("--csv"));
        arguments.addAll(List.of(more));
        return printed(false, row, arguments.toArray(new String[0]));
    }

    private String printed(final boolean isSeen, final String row, final String... arguments) {
        out.getBuffer().setLength(0);
        try (Rows rows = options(arguments).open(new PrintWriter(out), new PrintWriter(err), isSeen)) {
            rows.add(row);
        }
        return out.toString();
    }

    private String printed(final List<String> columns, final List<String> given, final String... arguments) {
        out.getBuffer().setLength(0);
        try (Rows rows = options(arguments).open(new PrintWriter(out), new PrintWriter(err), columns)) {
            given.forEach(rows::add);
        }
        return out.toString();
    }

    private static RowOptions options(final String... arguments) {
        final Printing printing = new Printing();
        new CommandLine(printing).parseArgs(arguments);
        return printing.rows;
    }
}
