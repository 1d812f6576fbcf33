package io.penstock.standalone.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.broker.security.audit.AuditKind;
import io.penstock.broker.security.audit.AuditVerifier.Verdict;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import io.penstock.standalone.input.Moment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints entries of an audit. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = {
            "Prints entries, oldest first. Each is held against its hash; after the first that is not right nothing is"
                    + " printed, and the exit code is 1."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock audit show /var/lib/penstock/audit --since today --kind administration",
            "  penstock audit show /var/lib/penstock/audit --user bob --refused --json"
        })
final class AuditShowCommand implements Callable<Integer> {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final List<String> TEXTS = List.of("kind", "outcome", "user", "client", "peer", "what", "reason");
    private static final List<String> COLUMNS =
            List.of("entry", "time", "kind", "outcome", "count", "user", "client", "peer", "what", "reason");

    @Spec
    private CommandSpec spec;

    @Mixin
    private AuditPath path;

    @Mixin
    private RowOptions rows;

    @Option(names = "--since", paramLabel = "TIME", description = "From this time on: " + Moment.EXAMPLES + ".")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Before this time.")
    private @Nullable String until;

    @Option(names = "--user", paramLabel = "NAME", description = "Of this user, proved or claimed.")
    private @Nullable String user;

    @Option(names = "--client", paramLabel = "NAME", description = "Of clients of this name.")
    private @Nullable String client;

    @Option(names = "--kind", paramLabel = "KIND", description = "Of this kind, as in the column; repeatable.")
    private List<String> kinds = List.of();

    @Option(names = "--refused", description = "Only what was refused.")
    private boolean isRefused;

    @Override
    public Integer call() {
        final Instant from = moment("--since", since);
        final Instant to = moment("--until", until);
        final List<String> known =
                Stream.of(AuditKind.values()).map(AuditKind::label).toList();
        for (final String kind : kinds) {
            if (!known.contains(kind)) {
                throw CommandFailure.badInput(
                        "--kind: no such kind: " + kind + " (use " + String.join(", ", known) + ")");
            }
        }
        final Verdict verdict;
        try (Rows table =
                rows.open(spec.commandLine().getOut(), spec.commandLine().getErr(), COLUMNS)) {
            verdict = path.read(text -> {
                final Map<String, String> entry = parsed(text);
                if (isWanted(entry, from, to)) {
                    table.add(row(entry));
                }
            });
        }
        if (verdict.problem() != null) {
            throw CommandFailure.failed(verdict.problem()
                    + " (nothing behind it is printed: its file has what follows, a line for each entry)");
        }
        return Main.EXIT_OK;
    }

    private static @Nullable Instant moment(final String option, final @Nullable String text) {
        final Instant instant = text == null ? null : Moment.parse(text);
        if (text != null && instant == null) {
            throw CommandFailure.badInput(option + ": no time: " + text + " (give one as " + Moment.EXAMPLES + ")");
        }
        return instant;
    }

    private boolean isWanted(
            final Map<String, String> entry, final @Nullable Instant from, final @Nullable Instant to) {
        final Instant time = Instant.parse(text(entry, "time"));
        return (from == null || !time.isBefore(from))
                && (to == null || time.isBefore(to))
                && (user == null || user.equals(text(entry, "user")))
                && (client == null || client.equals(text(entry, "client")))
                && (kinds.isEmpty() || kinds.contains(text(entry, "kind")))
                && (!isRefused || "refused".equals(text(entry, "outcome")));
    }

    private static String row(final Map<String, String> entry) {
        final Json row =
                new Json().field("entry", Long.parseLong(text(entry, "seq"))).field("time", text(entry, "time"));
        for (final String name : TEXTS) {
            row.field(name, text(entry, name));
            if (name.equals("outcome")) {
                row.field("count", Long.parseLong(text(entry, "count")));
            }
        }
        return row.end();
    }

    private static String text(final Map<String, String> entry, final String name) {
        return entry.getOrDefault(name, "");
    }

    private static Map<String, String> parsed(final String text) {
        final Map<String, String> entry = new HashMap<>();
        try (JsonParser parser = FACTORY.createParser(text)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                final String name = parser.currentName();
                parser.nextToken();
                entry.put(name, parser.getText());
            }
            return entry;
        } catch (final IOException e) {
            throw new UncheckedIOException("audit: an entry that was verified is no JSON: " + text, e);
        }
    }
}
