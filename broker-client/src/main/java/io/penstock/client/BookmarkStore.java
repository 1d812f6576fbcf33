package io.penstock.client;

import io.penstock.client.store.Stores;
import java.nio.file.Path;
import java.util.Set;

/**
 * Notes how far a program has come with its named subscriptions, so that they go on there after the program was started
 * again. One store serves one client, which closes it. Safe on any thread.
 */
public interface BookmarkStore extends AutoCloseable {
    /** Most names of a store; more are refused. */
    int NAME_LIMIT = 4096;

    /** Notes that are gathered at most before they are written to a file. */
    int BATCH_DEFAULT = 256;

    /**
     * A store that ends with the program.
     *
     * @return an empty store.
     */
    static BookmarkStore inMemory() {
        return Stores.bookmarksInMemory();
    }

    /**
     * A store in two files, {@code path.0} and {@code path.1}. Notes are gathered, and written when there are many, when
     * the client has nothing to do, and when it is closed: after the end of the program the messages whose notes were
     * not written come again.
     *
     * @param path of the files, in a directory that exists.
     * @return with what the files hold.
     * @throws PenstockException when the files cannot be used, or are damaged; it names the place.
     */
    static BookmarkStore inFile(final Path path) {
        return inFile(path, BATCH_DEFAULT);
    }

    /**
     * A store in two files.
     *
     * @param path  of the files, in a directory that exists.
     * @param batch most notes that are gathered; 1 = each is written at once.
     * @return with what the files hold.
     * @throws PenstockException when the files cannot be used, or are damaged; it names the place.
     */
    static BookmarkStore inFile(final Path path, final int batch) {
        return Stores.bookmarksInFile(path, batch);
    }

    /**
     * Whether what is noted outlasts the program.
     *
     * @return true unless overridden.
     */
    default boolean isLasting() {
        return true;
    }

    /**
     * How far a subscription has come.
     *
     * @param name of the subscription.
     * @return the last message of each shard that was noted; {@link Bookmark#NONE} when there was none.
     */
    Bookmark last(String name);

    /**
     * Notes that all messages of a shard up to one are processed. A note before an earlier one changes nothing.
     *
     * @param name     of the subscription.
     * @param shard    of the message.
     * @param sequence in the shard.
     * @throws PenstockException when there are too many names, or the store has failed.
     */
    void note(String name, int shard, long sequence);

    /**
     * The names of which something is noted.
     *
     * @return as they are now, at most {@link #NAME_LIMIT}.
     */
    Set<String> names();

    /** Writes what was gathered. */
    void flush();

    /**
     * Forgets a subscription.
     *
     * @param name of it.
     */
    void forget(String name);

    /** Writes what was gathered, and closes it. Idempotent. */
    @Override
    void close();
}
