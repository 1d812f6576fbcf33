package io.penstock.standalone.permissions;

import io.penstock.broker.PermissionsConfig;
import io.penstock.broker.config.RecordBinder;
import io.penstock.broker.security.IdentityQuotas;
import io.penstock.broker.security.Role;
import io.penstock.standalone.Main;
import io.penstock.standalone.config.ConfigSource;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks a file. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {"Checks a file of permissions, as a broker would at its start, and lists its roles."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the file is good", "2:it is not, or is not there"},
        footerHeading = "%nExamples:%n",
        footer = {"  penstock permissions check roles.yaml"})
final class PermissionsCheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "FILE", description = "The file: YAML with roles.")
    private Path file;

    @Override
    public Integer call() {
        final PermissionsConfig permissions = ConfigSource.permissions(file);
        final PrintWriter out = spec.commandLine().getOut();
        for (final Role role : permissions.roles()) {
            out.println(role.name() + ": "
                    + (role.rules().size() == 1 ? "1 rule" : role.rules().size() + " rules"));
            role.rules().forEach(rule -> out.println("  " + rule));
            RecordBinder.values(role.quotas()).forEach((bound, value) -> {
                if ((long) value != IdentityQuotas.UNSAID_VALUE) {
                    out.println("  " + bound + " " + value);
                }
            });
        }
        out.flush();
        return Main.EXIT_OK;
    }
}
