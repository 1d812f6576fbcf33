package io.penstock.standalone.audit;

import io.penstock.standalone.Main;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code penstock audit}: what is in the files of an audit. */
@Command(
        name = "audit",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = {
            "Looks into the audit of a broker, running or not: who logged on, what was refused, what administrators did.",
            "Nothing is written there, and no lock is taken."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock audit verify /var/lib/penstock/audit                     # is every entry as it was written?",
            "  penstock audit show /var/lib/penstock/audit --since -1h           # what happened in the last hour",
            "  penstock audit show /var/lib/penstock/audit --user bob --refused  # what was bob refused?"
        },
        subcommands = {AuditVerifyCommand.class, AuditShowCommand.class})
public final class AuditCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Made by the command line. */
    public AuditCommand() {}

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Main.EXIT_USAGE;
    }
}
