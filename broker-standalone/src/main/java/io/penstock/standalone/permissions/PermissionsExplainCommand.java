package io.penstock.standalone.permissions;

import io.penstock.broker.security.Action;
import io.penstock.broker.security.ActionWord;
import io.penstock.broker.security.Permissions;
import io.penstock.broker.security.Principal;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.config.ConfigSource;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Explains decisions. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = {
            "Says whether a user may do something with a topic, for which messages, and by which rules.",
            "User, roles and attributes are given here: no broker and no file of users is asked."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it is allowed, at least for some messages", "1:it is denied", "2:wrong usage, or a bad file"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock permissions explain roles.yaml --user bob --roles trader --action subscribe --topic orders",
            "  penstock permissions explain roles.yaml --user bob --roles trader --attribute desk=E --action read"
        })
final class PermissionsExplainCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "FILE", description = "The file: YAML with roles.")
    private Path file;

    @Option(names = "--user", paramLabel = "NAME", required = true, description = "The user's name.")
    private String user;

    @Option(names = "--roles", paramLabel = "NAME", split = ",", description = "The user's roles.")
    private List<String> roles = List.of();

    @Option(names = "--attribute", paramLabel = "NAME=VALUE", description = "One of the user's; repeatable.")
    private Map<String, String> attributes = Map.of();

    @Option(names = "--action", paramLabel = "WORD", required = true, description = "As in a rule, such as subscribe.")
    private String action;

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            defaultValue = "",
            description = "The topic's name; with deliver, the sink's.")
    private String topic;

    @Override
    public Integer call() {
        final Permissions permissions =
                Permissions.of(ConfigSource.permissions(file).roles());
        final Principal principal = new Principal(user, Set.copyOf(roles), attributes);
        boolean isAllowed = true;
        for (final Action each : actions().stream().sorted().toList()) {
            isAllowed &= explain(permissions, principal, each);
        }
        return isAllowed ? Main.EXIT_OK : Main.EXIT_FAILED;
    }

    private Set<Action> actions() {
        try {
            return ActionWord.actions(List.of(action));
        } catch (final IllegalArgumentException e) {
            throw CommandFailure.badInput("--action: " + e.getMessage());
        }
    }

    private boolean explain(final Permissions permissions, final Principal principal, final Action each) {
        final Permissions.Explanation explanation = permissions.explain(principal, each, topic);
        final PrintWriter out = spec.commandLine().getOut();
        out.println(explanation.sentence(user, each, topic));
        explanation.rules().forEach(rule -> out.println("  " + rule));
        out.flush();
        return explanation.isAllowed();
    }
}
