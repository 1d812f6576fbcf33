package io.penstock.broker.security.user;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.file.FileErrors;
import io.penstock.file.OwnerOnly;
import io.penstock.protocol.scram.ScramKeys;
import io.penstock.protocol.scram.ScramVerifier;
import io.penstock.protocol.scram.Utf8;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The text of a file of users: a line for each, comments in between stay where they are. Confined to its caller.
 *
 * <pre>
 * penstock-users 1
 * secret &lt;Base64&gt;
 * user ann role=trader attribute.desk=fx password=SCRAM-SHA-256$100000:&lt;salt&gt;$&lt;stored key&gt;:&lt;server key&gt;
 * user feed disabled certificate="CN=feed,O=Example" uid=1001
 * </pre>
 */
public final class UsersFile {
    private static final String FIRST_LINE = "penstock-users 1";
    private static final int SECRET_LENGTH = 32;
    private static final int LENGTH_MAX = 64 << 20;
    private static final String OTHERS = "others can read it";

    private final Path path;
    private final List<Line> lines = new ArrayList<>();
    private byte[] secret = ScramKeys.random(SECRET_LENGTH);

    /** A line as it is written: of a user, or any other. */
    private record Line(String text, @Nullable User user) {}

    private UsersFile(final Path path) {
        this.path = path;
    }

    /**
     * Reads a file.
     *
     * @param path of it.
     * @return its users.
     * @throws IllegalArgumentException when it is no such file, with the line; or others than its owner can read it.
     * @throws UncheckedIOException     when it cannot be read.
     */
    public static UsersFile read(final Path path) {
        final UsersFile file = new UsersFile(path);
        try {
            final String rights = OwnerOnly.wideFileRights(path);
            if (rights != null) {
                throw new IllegalArgumentException(
                        "users: " + path + ": " + OTHERS + ": " + rights + " (chmod 600 " + path + ")");
            }
            final byte[] bytes;
            try (InputStream in = Files.newInputStream(path)) {
                bytes = in.readNBytes(LENGTH_MAX + 1);
            }
            final String text = bytes.length > LENGTH_MAX ? null : Utf8.decode(bytes);
            if (text == null) {
                throw new IllegalArgumentException(
                        "users: " + path + ": not a file of users: not text, or longer than " + LENGTH_MAX + " bytes");
            }
            file.parse(text.lines().toList());
        } catch (final IOException e) {
            throw new UncheckedIOException(
                    "users: " + path + ": " + FileErrors.reasonOf(e) + " (make it by 'penstock user add')", e);
        }
        return file;
    }

    /**
     * A file with no users, which is not written yet.
     *
     * @param path where it will be.
     * @return empty.
     */
    public static UsersFile empty(final Path path) {
        final UsersFile file = new UsersFile(path);
        file.lines.add(new Line(FIRST_LINE, null));
        file.lines.add(new Line("secret " + Base64.getEncoder().encodeToString(file.secret), null));
        return file;
    }

    private void parse(final List<String> text) {
        for (int i = 0; i < text.size(); i++) {
            final String line = text.get(i).strip();
            try {
                if (i == 0 && !line.equals(FIRST_LINE)) {
                    throw new IllegalArgumentException(
                            "the first line is not '" + FIRST_LINE + "' (make it by 'penstock" + " user add')");
                }
                lines.add(new Line(line, i == 0 || line.isEmpty() || line.startsWith("#") ? null : parseLine(line)));
            } catch (final IllegalArgumentException e) {
                throw new IllegalArgumentException("users: " + path + ":" + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        if (text.isEmpty()) {
            throw new IllegalArgumentException("users: " + path + ": empty (make it by 'penstock user add')");
        }
        try {
            table();
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException("users: " + path + ":" + collision() + ": " + e.getMessage(), e);
        }
    }

    /** The first line whose user has what one before it has: all before it are a table, and none with it is. */
    private int collision() {
        int good = 0;
        int bad = lines.size();
        while (good + 1 < bad) {
            final int middle = (good + bad) >>> 1;
            try {
                table(lines.subList(0, middle));
                good = middle;
            } catch (final IllegalArgumentException e) {
                bad = middle;
            }
        }
        return bad;
    }

    private @Nullable User parseLine(final String line) {
        final List<String> words = Words.of(line);
        if (words == null || words.size() < 2) {
            throw new IllegalArgumentException(
                    "not a line of users: " + (words == null ? "a quote is not closed" : "a word alone"));
        }
        if (words.get(0).equals("secret") && words.size() == 2) {
            secret = secret(words.get(1));
            return null;
        }
        if (!words.get(0).equals("user")) {
            throw new IllegalArgumentException("begins with neither 'user' nor 'secret'");
        }
        return user(words);
    }

    private static byte[] secret(final String word) {
        try {
            final byte[] bytes = Base64.getDecoder().decode(word);
            if (bytes.length >= SECRET_LENGTH) {
                return bytes;
            }
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException("secret: not Base64", e);
        }
        throw new IllegalArgumentException("secret: shorter than " + SECRET_LENGTH + " bytes");
    }

    private static User user(final List<String> words) {
        boolean isDisabled = false;
        final Set<String> roles = new HashSet<>();
        final Map<String, String> attributes = new HashMap<>();
        ScramVerifier verifier = null;
        final List<String> certificates = new ArrayList<>();
        final Set<Integer> uids = new HashSet<>();
        for (final String word : words.subList(2, words.size())) {
            final int equals = word.indexOf('=');
            final String key = equals < 0 ? word : word.substring(0, equals);
            final String value = equals < 0 ? "" : word.substring(equals + 1);
            if (word.equals("disabled")) {
                isDisabled = true;
            } else if (key.equals("role") && equals > 0) {
                roles.add(value);
            } else if (key.startsWith("attribute.") && equals > 0) {
                attributes.put(key.substring("attribute.".length()), value);
            } else if (key.equals("certificate") && equals > 0) {
                certificates.add(value);
            } else if (key.equals("uid")
                    && value.matches("[0-9]{1,10}")
                    && Long.parseLong(value) <= Integer.MAX_VALUE) {
                uids.add(Integer.valueOf(value));
            } else if (key.equals("password") && equals > 0 && verifier == null) {
                verifier = ScramVerifier.parse(value);
                if (verifier == null) {
                    throw new IllegalArgumentException("password: not a verifier (set it by 'penstock user passwd')");
                }
            } else {
                throw new IllegalArgumentException("no such word: '" + key.replaceAll("\\p{Cntrl}", "?")
                        + "' (use role=, attribute.NAME=, certificate=, uid=, password= once, disabled)");
            }
        }
        return new User(words.get(1), isDisabled, roles, attributes, verifier, certificates, uids);
    }

    /** The users, in the order of the file. */
    public List<User> users() {
        return users(lines);
    }

    private static List<User> users(final List<Line> of) {
        final List<User> users = new ArrayList<>();
        for (final Line line : of) {
            if (line.user() != null) {
                users.add(line.user());
            }
        }
        return users;
    }

    /**
     * Finds a user.
     *
     * @param name of it.
     * @return the user, or null when there is none.
     */
    public @Nullable User find(final String name) {
        return users().stream()
                .filter(user -> user.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /**
     * Adds a user, or puts it in the place of the one with its name.
     *
     * @param user as it is from now on.
     */
    public void put(final User user) {
        final Line made = new Line(user.line(), user);
        for (int i = 0; i < lines.size(); i++) {
            final User before = lines.get(i).user();
            if (before != null && before.name().equals(user.name())) {
                lines.set(i, made);
                return;
            }
        }
        lines.add(made);
    }

    /**
     * Removes a user.
     *
     * @param name of it.
     * @return false when there is none.
     */
    public boolean remove(final String name) {
        return lines.removeIf(line -> line.user() != null && line.user().name().equals(name));
    }

    /**
     * Writes the file: all of it or nothing. It is its owner's alone.
     *
     * @throws IllegalArgumentException when two users have the same certificate or uid.
     * @throws UncheckedIOException     when it cannot be written; it is as it was then.
     */
    public void write() {
        table();
        final StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(line.text()).append('\n'));
        try {
            // A link stays one: the file that it leads to is replaced.
            final Path target = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
            final Path made = target.resolveSibling(target.getFileName() + ".new");
            Files.deleteIfExists(made);
            try (FileChannel channel = OwnerOnly.open(made, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                final ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            if (Files.exists(target)) {
                // The broker may run as another user than who changes its users.
                final UserPrincipal owner = Files.getOwner(target);
                if (!owner.equals(Files.getOwner(made))) {
                    Files.setOwner(made, owner);
                }
            }
            Files.move(made, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (final IOException e) {
            throw new UncheckedIOException(
                    "users: " + path + ": cannot be written: " + FileErrors.reasonOf(e)
                            + " (the directory has to be yours, too)",
                    e);
        }
    }

    UserTable table() {
        return table(lines);
    }

    private UserTable table(final List<Line> of) {
        return new UserTable(users(of), secret);
    }
}
