package io.penstock.standalone.user;

import io.penstock.broker.security.user.User;
import io.penstock.broker.security.user.UsersFile;
import io.penstock.standalone.CommandFailure;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The file of users that a command is about. */
final class FileOption {
    private static final String ENV_FILE = "PENSTOCK_USERS";

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "The file of users (default: $PENSTOCK_USERS).")
    private @Nullable Path file;

    FileOption() {}

    /** The file as it is. */
    UsersFile read() {
        final Path path = path();
        try {
            return UsersFile.read(path);
        } catch (final IllegalArgumentException | UncheckedIOException e) {
            throw CommandFailure.badInput(String.valueOf(e.getMessage()));
        }
    }

    /** The file as it is, or an empty one. */
    UsersFile readOrMake() {
        final Path path = path();
        return Files.exists(path) ? read() : UsersFile.empty(path);
    }

    /** Writes the file. */
    static void write(final UsersFile users) {
        try {
            users.write();
        } catch (final IllegalArgumentException e) {
            throw CommandFailure.badInput(String.valueOf(e.getMessage()));
        } catch (final UncheckedIOException e) {
            throw CommandFailure.failed(String.valueOf(e.getMessage()));
        }
    }

    /** A user of a file. */
    static User find(final UsersFile users, final String name) {
        final User user = users.find(name);
        if (user == null) {
            throw CommandFailure.badInput("user " + name + ": there is none (see penstock user list)");
        }
        return user;
    }

    private Path path() {
        if (file != null) {
            return file;
        }
        final String named = System.getenv(ENV_FILE);
        if (named == null || named.isEmpty()) {
            throw CommandFailure.badInput("--file: missing (name the file of users, or set $" + ENV_FILE + ")");
        }
        return Path.of(named);
    }
}
