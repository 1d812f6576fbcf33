package io.penstock.standalone.columns;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.client.AdminOptions;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Drops columns of a topic. */
@Command(
        name = "drop",
        mixinStandardHelpOptions = true,
        description = {
            "Drops the columns of some fields of a topic, or of all, to have their memory back.",
            "Queries that use one go on. The next query that wants the field makes it again, by reading the records. One"
                    + " that topics.columns names is not made ahead again before the configuration of topics changes,"
                    + " or the broker starts. Needs an administrator."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock columns drop orders price       # of one field, as the list has it",
            "  penstock columns drop orders price /a/id # of two",
            "  penstock columns drop orders --all       # of all fields"
        })
final class ColumnsDropCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private AdminOptions admin;

    @Option(names = "--all", description = "The columns of all fields.")
    private boolean isAll;

    @Parameters(index = "0", paramLabel = "TOPIC", description = "The topic, by its whole name.")
    private String topic;

    @Parameters(index = "1..*", paramLabel = "FIELD", description = "Fields, as the list has them.")
    private List<String> fields = List.of();

    @Override
    public Integer call() {
        if (isAll == !fields.isEmpty()) {
            throw CommandFailure.badInput(
                    isAll
                            ? "--all: are those of fields that are named, too (give fields or --all)"
                            : "FIELD: is missing: whose column is dropped (give fields, or --all for those of all fields)");
        }
        final PrintWriter out = spec.commandLine().getOut();
        final String path = "/api/v1/columns/" + AdminOptions.segment(topic);
        if (isAll) {
            admin.delete(path, Map.of());
            out.printf("the columns of %s are dropped%n", topic);
        }
        for (final String field : fields) {
            admin.delete(path, Map.of("field", field));
            out.printf("the column %s of %s is dropped%n", field, topic);
            out.flush();
        }
        out.flush();
        return Main.EXIT_OK;
    }
}
