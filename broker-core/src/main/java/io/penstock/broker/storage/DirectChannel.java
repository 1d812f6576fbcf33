package io.penstock.broker.storage;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Opens files past the system's cache (O_DIRECT). */
final class DirectChannel {
    private static final @Nullable OpenOption DIRECT = option();

    private DirectChannel() {}

    /** Opens a file that is there, or returns null if this Java, its file system or its disk cannot do so. */
    static @Nullable FileChannel open(final Path file) {
        if (DIRECT == null) {
            return null;
        }
        FileChannel channel = null;
        boolean works = false;
        try {
            channel = FileChannel.open(file, READ, WRITE, DIRECT);
            works = canTransferBlocks(channel);
            return works ? channel : null;
        } catch (final IOException | UnsupportedOperationException e) {
            // Whatever else may be wrong with the file is found, and said, without the option as well.
            return null;
        } finally {
            if (channel != null && !works) {
                closeQuietly(channel);
            }
        }
    }

    /** Some file systems want larger blocks than ours, and say so when something is transferred. */
    private static boolean canTransferBlocks(final FileChannel channel) throws IOException {
        final AlignedBuffer block = new AlignedBuffer(AlignedBuffer.BLOCK_LENGTH);
        try {
            channel.read(block.bytes(), 0);
            return true;
        } finally {
            block.free();
        }
    }

    private static void closeQuietly(final FileChannel channel) {
        try {
            channel.close();
        } catch (final IOException e) {
            // Nothing was written to it.
        }
    }

    /** An option of the JDK's own, for whose name a compiler would warn. */
    private static @Nullable OpenOption option() {
        try {
            final Object[] options =
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants();
            for (final Object option : options == null ? new Object[0] : options) {
                if (option.toString().equals("DIRECT")) {
                    return (OpenOption) option;
                }
            }
        } catch (final ClassNotFoundException e) {
            // A Java without it.
        }
        return null;
    }
}
