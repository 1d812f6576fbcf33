package io.penstock.broker.security.user;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The users of a broker, as its file had them when it was read last. Any thread. */
public final class UserDirectory {
    private final Path path;
    private final AtomicReference<UserTable> table;

    private UserDirectory(final Path path) {
        this.path = path;
        table = new AtomicReference<>(UsersFile.read(path).table());
    }

    /**
     * Reads a file of users.
     *
     * @param path of it.
     * @return its users.
     * @throws RuntimeException as {@link UsersFile#read} does.
     */
    public static UserDirectory open(final Path path) {
        return new UserDirectory(path);
    }

    /**
     * Reads the file again. When that fails, users stay as they were.
     *
     * @return how the users differ from those that there were.
     * @throws RuntimeException as {@link UsersFile#read} does.
     */
    public UserChanges reload() {
        final UserTable after = UsersFile.read(path).table();
        return UserChanges.between(Objects.requireNonNull(table.getAndSet(after)), after);
    }

    /** All users, by name. */
    public List<User> users() {
        return table().users();
    }

    UserTable table() {
        return Objects.requireNonNull(table.get());
    }

    /** Whether a user is still what it was. */
    boolean isUnchanged(final User user) {
        final @Nullable User now = table().find(user.name());
        return user.equals(now);
    }
}
