package io.penstock.standalone.context;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.UserFolders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The user's contexts: a file for each in a folder, and one that names the context in use. Files have mode 0600. */
public final class ContextStore {
    private static final String SUFFIX = ".context";
    private static final String CURRENT = "current";
    private static final int CONTEXT_COUNT_MAX = 1000;
    private static final int FILE_LENGTH_MAX = 512 * 1024;

    private final Path folder;

    /**
     * A store.
     *
     * @param folder of its files; need not be there.
     */
    ContextStore(final Path folder) {
        this.folder = folder;
    }

    /**
     * The user's store.
     *
     * @return in {@code $XDG_CONFIG_HOME/penstock}, else {@code ~/.config/penstock}.
     */
    public static ContextStore ofUser() {
        return new ContextStore(UserFolders.config().resolve("penstock"));
    }

    /**
     * The names of all contexts.
     *
     * @return in their order; none when there is no folder.
     */
    List<String> names() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .sorted()
                    .toList();
        } catch (final NoSuchFileException e) {
            return List.of();
        } catch (final IOException e) {
            throw unusable(e);
        }
    }

    /**
     * Reads a context.
     *
     * @param name of it.
     * @return the context.
     * @throws CommandFailure when there is none, or its file is not of a context.
     */
    public BrokerContext read(final String name) {
        final Path file = file(BrokerContext.checkName(name));
        final List<String> lines = lines(file);
        if (lines == null) {
            if (Files.isSymbolicLink(file)) {
                throw CommandFailure.badInput(file + ": is a link that leads nowhere (remove it)");
            }
            final List<String> names = names();
            throw CommandFailure.badInput("context " + name + ": there is none ("
                    + (names.isEmpty()
                            ? "add it: penstock context add " + name + " --broker URI"
                            : "there are: " + String.join(", ", names))
                    + ")");
        }
        return BrokerContext.of(name, file.toString(), lines);
    }

    /**
     * The context in use.
     *
     * @return its name, or null when none is.
     */
    public @Nullable String current() {
        final List<String> lines = lines(folder.resolve(CURRENT));
        return lines == null || lines.isEmpty() || lines.get(0).isBlank()
                ? null
                : lines.get(0).strip();
    }

    /** Adds a context, or replaces it. */
    void write(final BrokerContext context) {
        context.check();
        if (!names().contains(context.name()) && names().size() >= CONTEXT_COUNT_MAX) {
            throw CommandFailure.badInput("context: there are " + CONTEXT_COUNT_MAX + " already (remove one first)");
        }
        write(file(context.name()), context.lines());
    }

    /** Uses a context from now on; null for none. */
    void use(final @Nullable String name) {
        try {
            if (name == null) {
                Files.deleteIfExists(folder.resolve(CURRENT));
                return;
            }
        } catch (final IOException e) {
            throw unusable(e);
        }
        read(name);
        write(folder.resolve(CURRENT), List.of(name));
    }

    /** Removes a context; when it is in use, none is from then on. */
    void remove(final String name) {
        BrokerContext.checkName(name);
        try {
            if (!Files.deleteIfExists(file(name))) {
                read(name);
            }
            if (Objects.equals(current(), name)) {
                Files.deleteIfExists(folder.resolve(CURRENT));
            }
        } catch (final IOException e) {
            throw unusable(e);
        }
    }

    private Path file(final String name) {
        return folder.resolve(name + SUFFIX);
    }

    private @Nullable List<String> lines(final Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                if (Files.notExists(file)) {
                    return null;
                }
                throw CommandFailure.badInput(file + ": not a file with text: not of a context (move it away)");
            }
            final byte[] bytes = read(file);
            if (bytes.length > FILE_LENGTH_MAX) {
                throw CommandFailure.badInput(
                        file + ": longer than " + FILE_LENGTH_MAX + " bytes: not of a context (remove it)");
            }
            return UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString()
                    .lines()
                    .toList();
        } catch (final NoSuchFileException e) {
            return null;
        } catch (final CharacterCodingException e) {
            throw CommandFailure.badInput(file + ": not UTF-8 text (remove it, and add the context again)");
        } catch (final FileSystemException e) {
            if (Files.notExists(file)) {
                return null;
            }
            throw unusable(e);
        } catch (final IOException e) {
            throw unusable(e);
        }
    }

    /** No more than shows that it is too long. */
    private static byte[] read(final Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(FILE_LENGTH_MAX + 1);
        }
    }

    /** The whole file or none of it: a reader never sees a part. */
    private void write(final Path file, final List<String> lines) {
        try {
            Files.createDirectories(folder, modes(folder, "rwx------"));
            final Path made = Files.createTempFile(folder, ".new", "", modes(folder, "rw-------"));
            try {
                Files.write(made, lines);
                Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(made);
            }
        } catch (final IOException e) {
            throw unusable(e);
        }
    }

    private static FileAttribute<?>[] modes(final Path path, final String mode) {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return new FileAttribute<?>[0];
        }
        final Set<PosixFilePermission> permissions = PosixFilePermissions.fromString(mode);
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)};
    }

    private CommandFailure unusable(final IOException e) {
        return CommandFailure.failed(folder + ": cannot be used: " + e
                + " (contexts are kept there; make it a folder of yours, or set XDG_CONFIG_HOME)");
    }
}
