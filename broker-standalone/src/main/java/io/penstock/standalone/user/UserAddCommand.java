package io.penstock.standalone.user;

import io.penstock.broker.security.user.User;
import io.penstock.broker.security.user.UsersFile;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds a user. */
@Command(
        name = "add",
        mixinStandardHelpOptions = true,
        description = "Adds a user. Makes the file if there is none, for you alone to read.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock user add ann -f users --role trader --attribute desk=fx",
            "  penstock user add ann -f users --password-file - < secret",
            "  penstock user add feed -f users --no-password --certificate CN=feed,O=Example"
        })
final class UserAddCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Of the user.")
    private String name;

    @Mixin
    private FileOption file;

    @Mixin
    private UserProperties properties;

    @Mixin
    private NewPassword password;

    @Option(names = "--no-password", description = "The user proves itself otherwise; ask for no password.")
    private boolean hasNoPassword;

    @Override
    public Integer call() {
        final UsersFile users = file.readOrMake();
        if (users.find(name) != null) {
            throw CommandFailure.badInput(
                    "user " + name + ": is there already (change it by penstock user set or passwd)");
        }
        final User plain = UserProperties.named(name);
        // What is wrong is said before a password is asked for.
        final User made = properties.over(plain, false, null);
        users.put(hasNoPassword ? made : made.withVerifier(password.verifier(name)));
        FileOption.write(users);
        return Main.EXIT_OK;
    }
}
