package io.penstock.standalone.user;

import io.penstock.broker.security.user.UsersFile;
import io.penstock.standalone.Main;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Removes a user. */
@Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        description = "Removes a user.",
        footerHeading = "%nExamples:%n",
        footer = "  penstock user remove ann -f users")
final class UserRemoveCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Of the user.")
    private String name;

    @Mixin
    private FileOption file;

    @Override
    public Integer call() {
        final UsersFile users = file.read();
        FileOption.find(users, name);
        users.remove(name);
        FileOption.write(users);
        return Main.EXIT_OK;
    }
}
