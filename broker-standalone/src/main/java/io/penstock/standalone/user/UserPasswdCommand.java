package io.penstock.standalone.user;

import io.penstock.broker.security.user.User;
import io.penstock.broker.security.user.UsersFile;
import io.penstock.standalone.Main;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Gives a user another password. */
@Command(
        name = "passwd",
        mixinStandardHelpOptions = true,
        description = "Gives a user another password.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock user passwd ann -f users",
            "  penstock user passwd ann -f users --password-file - < secret"
        })
final class UserPasswdCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Of the user.")
    private String name;

    @Mixin
    private FileOption file;

    @Mixin
    private NewPassword password;

    @Override
    public Integer call() {
        final User before = FileOption.find(file.read(), name);
        final User changed = before.withVerifier(password.verifier(name));
        // Read again: somebody may have changed other users while the password was typed.
        final UsersFile users = file.read();
        FileOption.find(users, name);
        users.put(changed);
        FileOption.write(users);
        return Main.EXIT_OK;
    }
}
