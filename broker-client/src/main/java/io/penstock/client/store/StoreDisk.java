package io.penstock.client.store;

import io.penstock.file.OwnerOnly;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The disk of a client's stores. Used by the thread whose turn it is. */
interface StoreDisk {
    /** The disks of this machine. */
    StoreDisk SYSTEM = new StoreDisk() {
        @Override
        public FileChannel open(final Path file) throws IOException {
            return OwnerOnly.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        }

        @Override
        public void syncDirectory(final Path directory) throws IOException {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    };

    /** Opens a file to read and write it; it is made unless it is there. */
    FileChannel open(Path file) throws IOException;

    /** Returns when the files that were made in a directory are in it on stable storage. */
    void syncDirectory(Path directory) throws IOException;
}
