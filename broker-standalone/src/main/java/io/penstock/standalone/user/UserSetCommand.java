package io.penstock.standalone.user;

import io.penstock.broker.security.user.User;
import io.penstock.broker.security.user.UsersFile;
import io.penstock.protocol.scram.ScramVerifier;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes a user. */
@Command(
        name = "set",
        mixinStandardHelpOptions = true,
        description = "Changes a user. What is given takes the place of all that it had of the kind.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock user set ann -f users --role trader --role reader",
            "  penstock user set ann -f users --disabled",
            "  penstock user set ann -f users --clear attributes --clear uids"
        })
final class UserSetCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Of the user.")
    private String name;

    @Mixin
    private FileOption file;

    @Mixin
    private UserProperties properties;

    @Option(names = "--disabled", description = "It may not log on for now.")
    private boolean isDisabled;

    @Option(names = "--enabled", description = "It may log on again.")
    private boolean isEnabled;

    @Option(
            names = "--clear",
            paramLabel = "KIND",
            description = "Remove all of a kind first: roles, attributes, certificates, uids, password; repeatable.")
    private List<Kind> cleared = List.of();

    /** What can be removed. */
    enum Kind {
        ROLES,
        ATTRIBUTES,
        CERTIFICATES,
        UIDS,
        PASSWORD
    }

    @Override
    public Integer call() {
        if (isDisabled && isEnabled) {
            throw CommandFailure.badInput("--disabled: beside --enabled (give one of them)");
        }
        if (properties.isEmpty() && cleared.isEmpty() && !isDisabled && !isEnabled) {
            throw CommandFailure.badInput("user set: nothing to change (give --role, --disabled or another option)");
        }
        final UsersFile users = file.read();
        final User before = FileOption.find(users, name);
        final @Nullable ScramVerifier verifier = cleared.contains(Kind.PASSWORD) ? null : before.verifier();
        final User rest = new User(
                before.name(),
                before.isDisabled(),
                cleared.contains(Kind.ROLES) ? Set.of() : before.roles(),
                cleared.contains(Kind.ATTRIBUTES) ? Map.of() : before.attributes(),
                verifier,
                cleared.contains(Kind.CERTIFICATES) ? List.of() : before.certificates(),
                cleared.contains(Kind.UIDS) ? Set.of() : before.uids());
        users.put(properties.over(rest, isDisabled || (before.isDisabled() && !isEnabled), verifier));
        FileOption.write(users);
        return Main.EXIT_OK;
    }
}
