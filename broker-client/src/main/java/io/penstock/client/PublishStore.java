package io.penstock.client;

import io.penstock.client.store.Stores;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Keeps published messages of a client until the broker has them for good, in order of their sequences. One store
 * serves one client, which closes it. Threads that publish take turns at {@link #append}; everything else is called by
 * the client's own thread, at the same time. Bounded: at the bound nothing is appended.
 */
public interface PublishStore extends AutoCloseable {
    /** Most messages of a store, unless configured otherwise. */
    int LIMIT_DEFAULT = 64 * 1024;

    /** Bytes of a store, unless configured otherwise. */
    int LENGTH_DEFAULT = 64 * 1024 * 1024;

    /** When what is appended is on stable storage. */
    enum Sync {
        /**
         * When the system writes it: it survives the end of the program, but not a loss of power. A publish waits for the
         * disk only when the files are used in turn, and when one is made longer: 64 KiB at first, then as much as it
         * has, up to 4 MiB at once.
         */
        OS,
        /** Before a publish returns. */
        EACH
    }

    /** Takes what is read. */
    interface Reader {
        /**
         * A message that is kept.
         *
         * @param sequence of the publisher.
         * @param frame    holding the publish command, which may be written to but for its topic and payload; stays
         *                 as it is until the message is discarded.
         * @param offset   of its first byte.
         * @param length   in bytes.
         * @return whether it was taken.
         */
        boolean onEntry(long sequence, MutableDirectBuffer frame, int offset, int length);
    }

    /**
     * A store that ends with the program.
     *
     * @return with the default bounds.
     */
    static PublishStore inMemory() {
        return inMemory(LIMIT_DEFAULT, LENGTH_DEFAULT);
    }

    /**
     * A store that ends with the program.
     *
     * @param limit  most messages.
     * @param length in bytes; one message takes at most half of it.
     * @return an empty store.
     */
    static PublishStore inMemory(final int limit, final int length) {
        return Stores.publishesInMemory(limit, length);
    }

    /**
     * A store in two files, {@code path.0} and {@code path.1}, with all that is kept in memory as well. It survives the
     * end of the program.
     *
     * @param path of the files, in a directory that exists.
     * @return with what the files hold, the default bounds and {@link Sync#OS}.
     * @throws PenstockException when the files cannot be used, or are damaged; it names the place.
     */
    static PublishStore inFile(final Path path) {
        return inFile(path, LIMIT_DEFAULT, LENGTH_DEFAULT, Sync.OS);
    }

    /**
     * A store in two files.
     *
     * @param path   of the files, in a directory that exists.
     * @param limit  most messages.
     * @param length in bytes; one message takes at most half of it.
     * @param sync   when what is appended is on stable storage.
     * @return with what the files hold.
     * @throws PenstockException when the files cannot be used, or are damaged; it names the place.
     */
    static PublishStore inFile(final Path path, final int limit, final int length, final Sync sync) {
        return Stores.publishesInFile(path, limit, length, sync);
    }

    /**
     * The highest sequence that was ever appended, also by an earlier run of the program.
     *
     * @return the sequence, or 0.
     */
    long lastSequence();

    /**
     * The bound of messages.
     *
     * @return most messages that are kept at once.
     */
    int limit();

    /**
     * Appends a message.
     *
     * @param sequence above the last one.
     * @param frame    holding the publish command; free again on return.
     * @param offset   of its first byte.
     * @param length   in bytes.
     * @return false when there is no room now, and then nothing has changed.
     * @throws PenstockException when the message is longer than the store takes, or the store has failed.
     */
    boolean append(long sequence, DirectBuffer frame, int offset, int length);

    /**
     * Hands over the first message that is kept from a sequence on.
     *
     * @param fromSequence not below that of a message that was discarded.
     * @param reader       of it.
     * @return what the reader said, false when there is no message.
     */
    boolean read(long fromSequence, Reader reader);

    /**
     * Forgets messages that the broker has for good.
     *
     * @param sequence of the last of them; all before are forgotten too.
     */
    void discard(long sequence);

    /**
     * Forgets a message that the broker has refused.
     *
     * @param sequence of it.
     */
    void remove(long sequence);

    /** Closes it; what is kept in files stays there. Idempotent. */
    @Override
    void close();
}
