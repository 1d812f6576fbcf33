package io.penstock.standalone.columns;

import io.penstock.standalone.Main;
import io.penstock.standalone.client.AdminOptions;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the columns of a broker's topics. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the columns of topics: their fields, and how far they are.",
            "The kind is 'named' for those of topics.columns, 'query' for those that queries have made, and 'going' for"
                    + " those that were dropped and are in use still. A column is complete with as many rows as the"
                    + " topic has records (topicRows). Rows, texts and bytes are only for users who may see all of the topic."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock columns list             # of all topics",
            "  penstock columns list orders      # of one",
            "  penstock columns list orders --json"
        })
final class ColumnsListCommand implements Callable<Integer> {
    private static final List<String> COLUMNS =
            List.of("topic", "shard", "field", "kind", "rows", "topicRows", "texts", "bytes", "scans", "idleMs");

    @Spec
    private CommandSpec spec;

    @Mixin
    private AdminOptions admin;

    @Mixin
    private RowOptions rows;

    @Parameters(paramLabel = "TOPIC", arity = "0..1", description = "Only those of this topic, by its whole name.")
    private @Nullable String topic;

    @Override
    public Integer call() {
        final List<Map<String, String>> columns =
                admin.list("/api/v1/columns", topic == null ? Map.of() : Map.of("topic", topic));
        final Map<String, String> topicRows = new HashMap<>();
        if (!columns.isEmpty()) {
            admin.list("/api/v1/topics", Map.of()).forEach(each -> {
                final String count = each.get("rows");
                if (count != null) {
                    topicRows.put(each.getOrDefault("name", ""), count);
                }
            });
        }
        try (Rows out =
                rows.open(spec.commandLine().getOut(), spec.commandLine().getErr(), COLUMNS)) {
            columns.forEach(column -> out.add(row(column, topicRows)));
        }
        return Main.EXIT_OK;
    }

    private static String row(final Map<String, String> column, final Map<String, String> topicRows) {
        final String name = column.getOrDefault("topic", "");
        final Json json = new Json().field("topic", name);
        number(json, "shard", column.get("shard"));
        json.field("field", column.getOrDefault("field", "")).field("kind", kind(column));
        number(json, "rows", column.get("rows"));
        number(json, "topicRows", topicRows.get(name));
        for (final String figure : List.of("texts", "bytes", "scans", "idleMs")) {
            number(json, figure, column.get(figure));
        }
        return json.end();
    }

    private static String kind(final Map<String, String> column) {
        if (Boolean.parseBoolean(column.get("going"))) {
            return "going";
        }
        return Boolean.parseBoolean(column.get("named")) ? "named" : "query";
    }

    /** What the caller may not see, and what is not known, is left out. */
    private static void number(final Json json, final String name, final @Nullable String value) {
        if (value != null) {
            json.field(name, Long.parseLong(value));
        }
    }
}
