package io.penstock.standalone.user;

import io.penstock.standalone.Main;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code penstock user}: users of a broker. */
@Command(
        name = "user",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = {
            "Edits the file of users that the key security.users of a broker's configuration names.",
            "The file has no passwords, just what they can be checked with. A broker that runs takes changes when it is"
                    + " told to (see penstock serve); sessions of users that were changed end then."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock user add ann --file users --role trader  # asks for the password",
            "  penstock user passwd ann --file users",
            "  penstock user set ann --file users --disabled",
            "  penstock user list --file users"
        },
        subcommands = {
            UserAddCommand.class,
            UserSetCommand.class,
            UserPasswdCommand.class,
            UserRemoveCommand.class,
            UserListCommand.class
        })
public final class UserCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Made by the command line. */
    public UserCommand() {}

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Main.EXIT_USAGE;
    }
}
