package io.penstock.broker.storage;

import java.io.IOException;

/** Opens directories by their names. */
@FunctionalInterface
public interface StorageProvider {
    /** The file system of this machine. */
    StorageProvider DISK = DiskStorage::open;

    /**
     * Opens a directory.
     *
     * @param path of the directory, made if it is not there.
     * @return the directory.
     * @throws IOException when it cannot be made.
     */
    Storage open(String path) throws IOException;
}
