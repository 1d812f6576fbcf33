package io.penstock.standalone.guide;

import io.penstock.standalone.Version;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The page of a command for {@code man}, in the macros of man(7). */
final class ManPage {
    private static final String HELP = "help";
    private static final int ASCII_MAX = 126;

    private final CommandSpec spec;
    private final StringBuilder page = new StringBuilder();

    private ManPage(final CommandSpec spec) {
        this.spec = spec;
    }

    /**
     * Writes it.
     *
     * @param command that it is about.
     * @return the page.
     */
    static String of(final CommandLine command) {
        return new ManPage(command.getCommandSpec()).write();
    }

    /** The name of a command's page: {@code penstock-log-ls}. */
    static String name(final CommandLine command) {
        return command.getCommandSpec().qualifiedName("-");
    }

    private String write() {
        final UsageMessageSpec usage = spec.usageMessage();
        final String name = name(spec.commandLine());
        final String[] description = usage.description();
        line(".TH " + quoted(name.toUpperCase(Locale.ROOT)) + " 1 \"\" " + quoted("Penstock " + Version.current()) + " "
                + quoted("Penstock"));
        section("NAME");
        line(text(name) + " \\- " + text(description.length == 0 ? "" : description[0].replaceFirst("\\.$", "")));
        section("SYNOPSIS");
        final Help help = new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF));
        line(text((spec.qualifiedName() + " " + synopsis(help)).strip()));
        section("DESCRIPTION");
        boolean isFirst = true;
        for (final String paragraph : description) {
            if (!paragraph.isBlank()) {
                if (!isFirst) {
                    line(".PP");
                }
                line(text(paragraph));
                isFirst = false;
            }
        }
        parameters();
        options();
        commands();
        exitCodes(usage.exitCodeList());
        examples(usage.footer());
        seeAlso();
        return page.toString();
    }

    private String synopsis(final Help help) {
        final String lines = help.synopsis(0).replaceAll("\\s+", " ").strip();
        final String qualified = spec.qualifiedName();
        return lines.startsWith(qualified) ? lines.substring(qualified.length()).strip() : lines;
    }

    private void parameters() {
        if (spec.positionalParameters().stream().allMatch(PositionalParamSpec::hidden)) {
            return;
        }
        section("ARGUMENTS");
        for (final PositionalParamSpec each : spec.positionalParameters()) {
            if (!each.hidden()) {
                entry(each.paramLabel(), each.description());
            }
        }
    }

    private void options() {
        section("OPTIONS");
        for (final OptionSpec each : spec.options()) {
            if (!each.hidden()) {
                final String value = each.arity().max() > 0 ? " " + each.paramLabel() : "";
                entry(String.join(", ", each.names()) + value, each.description());
            }
        }
    }

    private void commands() {
        if (spec.subcommands().isEmpty()) {
            return;
        }
        section("COMMANDS");
        spec.subcommands().forEach((name, command) -> {
            final UsageMessageSpec usage = command.getCommandSpec().usageMessage();
            if (!usage.hidden()) {
                entry(name, usage.description());
            }
        });
    }

    private void exitCodes(final Map<String, String> codes) {
        section("EXIT STATUS");
        if (codes.isEmpty()) {
            line(text("0 done, 1 failed, 2 the command line or a file it names is wrong."));
        }
        codes.forEach((code, meaning) -> entry(code, meaning));
    }

    private void examples(final String... footer) {
        if (footer.length == 0) {
            return;
        }
        section("EXAMPLES");
        line(".nf");
        for (final String example : footer) {
            line(text(example.formatted()));
        }
        line(".fi");
    }

    private void seeAlso() {
        final CommandSpec parent = spec.parent();
        section("SEE ALSO");
        final StringBuilder pages = new StringBuilder();
        if (parent != null) {
            pages.append(parent.qualifiedName("-")).append("(1)");
        }
        spec.subcommands().forEach((name, command) -> {
            if (!name.equals(HELP) && !command.getCommandSpec().usageMessage().hidden()) {
                pages.append(pages.isEmpty() ? "" : ", ").append(name(command)).append("(1)");
            }
        });
        line(text(pages.toString()));
    }

    private void section(final String title) {
        line(".SH " + quoted(title));
    }

    private void entry(final String term, final String... description) {
        line(".TP");
        line("\\fB" + text(term) + "\\fR");
        line(text(String.join(" ", description)));
    }

    private void line(final String line) {
        page.append(line).append('\n');
    }

    /** What roff shows as it is: no escapes, and no line that is a request. */
    private static String text(final String plain) {
        final StringBuilder ascii = new StringBuilder();
        plain.replace("\\", "\\e").replace("-", "\\-").codePoints().forEach(each -> {
            if (each <= ASCII_MAX) {
                ascii.append((char) each);
            } else {
                ascii.append(String.format("\\[u%04X]", each));
            }
        });
        final String escaped = ascii.toString();
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }

    private static String quoted(final String plain) {
        return '"' + plain.replace("\"", "'") + '"';
    }
}
