package io.penstock.standalone.user;

import io.penstock.broker.security.user.User;
import io.penstock.protocol.scram.ScramVerifier;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists users. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Lists the users of a file, and how each may prove itself.",
        footerHeading = "%nExamples:%n",
        footer = {"  penstock user list -f users", "  penstock user list -f users --json"})
final class UserListCommand implements Callable<Integer> {
    private static final List<String> COLUMNS =
            List.of("user", "disabled", "roles", "attributes", "password", "certificates", "uids");

    @Spec
    private CommandSpec spec;

    @Mixin
    private FileOption file;

    @Mixin
    private RowOptions rows;

    @Override
    public Integer call() {
        final List<User> users = file.read().users();
        try (Rows out =
                rows.open(spec.commandLine().getOut(), spec.commandLine().getErr(), COLUMNS)) {
            for (final User user : users) {
                final ScramVerifier verifier = user.verifier();
                out.add(new Json()
                        .field("user", user.name())
                        .field("disabled", user.isDisabled() ? "yes" : "")
                        .field("roles", String.join(" ", new TreeSet<>(user.roles())))
                        .field(
                                "attributes",
                                new TreeMap<>(user.attributes())
                                        .entrySet().stream()
                                                .map(each -> each.getKey() + "=" + each.getValue())
                                                .collect(Collectors.joining(" ")))
                        .field("password", verifier == null ? "" : "scram " + verifier.iterations())
                        .field("certificates", String.join(" ", user.certificates()))
                        .field(
                                "uids",
                                new TreeSet<>(user.uids())
                                        .stream().map(String::valueOf).collect(Collectors.joining(" ")))
                        .end());
            }
        }
        return Main.EXIT_OK;
    }
}
