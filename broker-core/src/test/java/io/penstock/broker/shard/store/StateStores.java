package io.penstock.broker.shard.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A store with memory of its own, and puts of strings, for tests. */
final class StateStores implements AutoCloseable {
    static final long NEVER = Long.MAX_VALUE;
    static final int CHUNK_LENGTH = StateMemory.CHUNK_LENGTH_MIN;

    final StateMemory memory;
    final Snapshots snapshots = new Snapshots();
    final StateStore store;
    private final ExpandableArrayBuffer key = new ExpandableArrayBuffer();
    private final ExpandableArrayBuffer message = new ExpandableArrayBuffer();
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final ExpirySearch search = new ExpirySearch();

    StateStores() {
        this(64L << 20, 64L << 20, KeyHash.DEFAULT);
    }

    StateStores(final long budgetLength, final long versionBudgetLength, final KeyHash hash) {
        memory = new StateMemory(budgetLength, CHUNK_LENGTH);
        store = new StateStore(memory, snapshots, versionBudgetLength, hash);
    }

    int find(final String text) {
        return store.find(key, 0, keyLength(text));
    }

    boolean hasRoom(final String keyText, final int messageLength) {
        return store.hasRoom(find(keyText), keyLength(keyText), messageLength);
    }

    int put(final String keyText, final String text, final long sequence) {
        return put(keyText, text, sequence, NEVER);
    }

    int put(final String keyText, final String text, final long sequence, final long expiresNs) {
        final int row = find(keyText);
        final byte[] bytes = text.getBytes(UTF_8);
        message.putBytes(0, bytes);
        return store.put(row, key, 0, keyLength(keyText), message, 0, bytes.length, 0, sequence, -sequence, expiresNs);
    }

    void delete(final String keyText, final long sequence) {
        store.delete(find(keyText), sequence);
    }

    int nextExpired(final long nowNs) {
        search.beginTurn();
        return store.nextExpired(search, nowNs, nowNs);
    }

    /** The message at an address, or null when it is 0. */
    String message(final long address) {
        if (address == 0) {
            return null;
        }
        Version.wrapMessage(view, address);
        return view.getStringWithoutLengthUtf8(0, view.capacity());
    }

    /** The key at an address. */
    String key(final long address) {
        Version.wrapKey(view, address);
        return view.getStringWithoutLengthUtf8(0, view.capacity());
    }

    String newest(final String keyText) {
        final int row = find(keyText);
        return row == StateStore.NO_ROW ? null : message(store.newest(row));
    }

    void reclaimAll() {
        while (store.reclaim(100) > 0) {
            // Goes on while there is something.
        }
    }

    private int keyLength(final String text) {
        final byte[] bytes = text.getBytes(UTF_8);
        key.putBytes(0, bytes);
        return bytes.length;
    }

    @Override
    public void close() {
        store.close();
        memory.close();
    }
}
