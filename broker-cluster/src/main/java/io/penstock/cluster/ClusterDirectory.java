package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.file.OwnerOnly;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.SystemEpochClock;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a node. A file marks it as one, with the node's number, and with that of its last start. Starts are numbered
 * by the time, so that one with an emptied directory is above those before: commands of these are not taken for its own.
 *
 * <pre>
 *   penstock-cluster    the mark
 *   archive/            what all nodes have agreed on, as Aeron keeps it
 *   consensus/          who has voted for whom, and what the log consists of
 *   journal/            this node's own files, made anew from the log at each start
 * </pre>
 *
 * Used by the thread that starts and closes the node.
 */
final class ClusterDirectory implements AutoCloseable {
    private static final String MARK = "penstock-cluster";
    private static final String MARK_NEXT = MARK + ".next";
    private static final String LOCK = "penstock-cluster.lock";
    private static final String MEMBER = "member";
    private static final String INCARNATION = "incarnation";

    private final Path path;
    private final FileChannel lockChannel;
    private final long incarnation;

    private ClusterDirectory(final Path path, final FileChannel lockChannel, final long incarnation) {
        this.path = path;
        this.lockChannel = lockChannel;
        this.incarnation = incarnation;
    }

    /**
     * Opens it for a start: keeps other processes out, numbers the start, and empties the node's own files.
     *
     * @param path   made if it is not there.
     * @param member number of the node.
     * @return the directory.
     * @throws IOException when it is of something else or of another node, or cannot be written; nothing is deleted then.
     */
    static ClusterDirectory open(final Path path, final int member) throws IOException {
        return open(path, member, SystemEpochClock.INSTANCE);
    }

    /** The same by another clock. A start without a mark is numbered above those of a directory that was lost. */
    static ClusterDirectory open(final Path path, final int member, final EpochClock clock) throws IOException {
        OwnerOnly.createDirectories(path);
        final Path mark = path.resolve(MARK);
        if (!Files.exists(mark) && !isEmpty(path)) {
            throw new IOException("cluster.directory: not empty, and not of a node of a cluster: " + path
                    + " (name a new one, or one that a node has made)");
        }
        final FileChannel channel = lock(path);
        boolean isOpen = false;
        try {
            final long incarnation = Math.max(1 + lastIncarnation(mark, member), clock.time());
            write(path, mark, member, incarnation);
            final ClusterDirectory directory = new ClusterDirectory(path, channel, incarnation);
            IoUtil.delete(directory.journal().toFile(), false);
            isOpen = true;
            return directory;
        } finally {
            if (!isOpen) {
                CloseHelper.quietClose(channel);
            }
        }
    }

    private static boolean isEmpty(final Path path) throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            // A start that was killed before it had made its mark leaves these.
            return files.map(file -> String.valueOf(file.getFileName())).allMatch(Set.of(LOCK, MARK_NEXT)::contains);
        }
    }

    private static FileChannel lock(final Path path) throws IOException {
        final FileChannel channel =
                FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        @Nullable FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (final OverlappingFileLockException e) {
            // Held by this process.
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        if (lock == null) {
            throw new IOException("cluster.directory: in use by another process: " + path
                    + " (stop the other node, or give this one a directory of its own)");
        }
        return channel;
    }

    private static long lastIncarnation(final Path mark, final int member) throws IOException {
        final Properties values = new Properties();
        try (Reader text = Files.newBufferedReader(mark, UTF_8)) {
            values.load(text);
        } catch (final NoSuchFileException e) {
            return 0;
        }
        final String of = values.getProperty(MEMBER, "");
        if (!of.equals(String.valueOf(member))) {
            throw new IOException("cluster.directory: of member " + of + ", and this is member " + member + ": "
                    + mark.getParent() + " (give each node a directory of its own)");
        }
        try {
            return Long.parseLong(values.getProperty(INCARNATION, ""));
        } catch (final NumberFormatException e) {
            throw new IOException("cluster.directory: the mark is damaged: " + mark + " (it needs the lines member="
                    + member + " and incarnation= with a number that was not used)");
        }
    }

    /** In place of the old one, on stable storage: numbers of commands start again with each incarnation. */
    private static void write(final Path path, final Path mark, final int member, final long incarnation)
            throws IOException {
        final Path next = path.resolve(MARK_NEXT);
        final String text = MEMBER + "=" + member + "\n" + INCARNATION + "=" + incarnation + "\n";
        try (FileChannel channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            final ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(next, mark, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Rises with each start, also when the directory was emptied; the time in milliseconds, or above the last one. */
    long incarnation() {
        return incarnation;
    }

    /** Of what all nodes have agreed on. */
    File archive() {
        return path.resolve("archive").toFile();
    }

    /** Of votes, and of what the log consists of. */
    File consensus() {
        return path.resolve("consensus").toFile();
    }

    /** Of this node's own files. */
    Path journal() {
        return path.resolve("journal");
    }

    @Override
    public void close() {
        CloseHelper.quietClose(lockChannel);
    }
}
