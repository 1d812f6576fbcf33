package io.penstock.broker.storage;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A directory of files. Changes of its entries (files created, renamed, deleted) survive a power cut only after {@link
 * #sync()}; data written to a file only after {@link StoredFile#sync()}. May be used by several threads, but each name
 * by one at a time.
 */
public interface Storage {
    /**
     * The files that are there.
     *
     * @return names, in their order.
     * @throws IOException when the directory cannot be read.
     */
    List<String> list() throws IOException;

    /**
     * Whether a file is there. Costs the same however many there are.
     *
     * @param name of the file.
     * @return whether it is.
     * @throws IOException when that cannot be seen.
     */
    boolean exists(String name) throws IOException;

    /**
     * Whether a file's bytes are another file's as well, so that nobody may write to them.
     *
     * @param name of a file that is there.
     * @return whether they may be.
     * @throws IOException when that cannot be seen.
     */
    default boolean isShared(final String name) throws IOException {
        return false;
    }

    /**
     * Makes a file.
     *
     * @param name that no file has.
     * @return the empty file, writable.
     * @throws IOException when it is there, or cannot be made.
     */
    StoredFile create(String name) throws IOException;

    /**
     * Opens a file.
     *
     * @param name     of a file that is there.
     * @param writable whether to write it as well.
     * @return the file.
     * @throws IOException when it is not there, or cannot be opened.
     */
    StoredFile open(String name, boolean writable) throws IOException;

    /**
     * Makes a file that is written past the system's cache, if it can be.
     *
     * @param name that no file has.
     * @return the empty file, writable; all of it is to be read and written in whole blocks, and from memory, as
     *         {@link AlignedBuffer} has them.
     * @throws IOException when it is there, or cannot be made.
     */
    default StoredFile createDirect(final String name) throws IOException {
        return create(name);
    }

    /**
     * Opens a file to be written past the system's cache, if it can be.
     *
     * @param name of a file that is there.
     * @return the file, writable; all of it is to be read and written in whole blocks, and from memory, as
     *         {@link AlignedBuffer} has them.
     * @throws IOException when it is not there, or cannot be opened.
     */
    default StoredFile openDirect(final String name) throws IOException {
        return open(name, true);
    }

    /**
     * Says that all of a file will be read soon. Whether anything is done about it, and when, is open; what is wrong with
     * the file is said when it is read.
     *
     * @param name of a file that is there.
     */
    default void prefetch(final String name) {}

    /**
     * Gives a file another name; a file that had this name is removed in the same step.
     *
     * @param from name of a file that is there.
     * @param to   new name.
     * @throws IOException when that fails.
     */
    void rename(String from, String to) throws IOException;

    /**
     * Copies a file into another directory, and puts the copy's bytes on stable storage.
     *
     * @param name of a file that is there; one of that name in the other directory is replaced.
     * @param to   other directory, to be synced by the caller.
     * @throws IOException when that fails.
     */
    default void copy(final String name, final Storage to) throws IOException {
        if (to.exists(name)) {
            to.delete(name);
        }
        final AlignedBuffer piece = new AlignedBuffer(1024 * 1024);
        try (StoredFile from = open(name, false);
                StoredFile copy = to.create(name)) {
            for (long at = 0, length = from.length(); at < length; at += piece.capacity()) {
                final int read = from.read(piece.bytes().clear(), at);
                copy.write(piece.bytes().clear().limit(read), at);
            }
            copy.sync();
        } finally {
            piece.free();
        }
    }

    /**
     * Moves a file into another directory, on another disk as well.
     *
     * @param name of a file that is there; one of that name in the other directory is replaced.
     * @param to   other directory, to be synced by the caller, as is this one.
     * @throws IOException when that fails.
     */
    default void move(final String name, final Storage to) throws IOException {
        copy(name, to);
        to.sync();
        delete(name);
    }

    /**
     * Deletes a file.
     *
     * @param name of a file that is there.
     * @throws IOException when that fails.
     */
    void delete(String name) throws IOException;

    /**
     * Makes what was done to the directory's entries last.
     *
     * @throws IOException when they may not.
     */
    void sync() throws IOException;

    /**
     * A directory in this one, made if it is not there.
     *
     * @param name of the directory.
     * @return it.
     * @throws IOException when it cannot be made.
     */
    Storage directory(String name) throws IOException;

    /**
     * Takes the directory for this broker alone.
     *
     * @return gives it back when closed.
     * @throws IOException when another broker has it.
     */
    Closeable lock() throws IOException;

    /**
     * Which rights others than its owner have to the directory.
     *
     * @return its rights, for people; null when it is its owner's alone, or the system knows no such rights.
     * @throws IOException when that cannot be seen.
     */
    default @Nullable String wideRights() throws IOException {
        return null;
    }

    /**
     * Says where a file is, for people.
     *
     * @param name of a file, there or not.
     * @return its whole path.
     */
    String path(String name);
}
