package io.penstock.broker.shard.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class KeyLookaheadTest {
    private final KeyLookahead lookahead = new KeyLookahead();

    @Test
    void shouldReadTheVersionsOfKeysThatAreThereAndChangeNothingWhenItLooks() {
        try (StateStores stores = new StateStores()) {
            for (int i = 0; i < 10_000; i++) {
                stores.put("key" + i, "message" + i, i + 1);
            }
            final long reserved = stores.memory.reservedLength();
            for (int i = 0; i < 10_000; i += KeyLookahead.CAPACITY) {
                for (int j = i; j < i + KeyLookahead.CAPACITY; j++) {
                    add(stores, "key" + j);
                }
                final long before = lookahead.seen();
                lookahead.look();
                assertThat(lookahead.seen()).as("from %d", i).isNotEqualTo(before);
            }
            assertThat(stores.memory.reservedLength()).isEqualTo(reserved);
            for (int i = 0; i < 10_000; i++) {
                assertThat(stores.newest("key" + i)).isEqualTo("message" + i);
            }
        }
    }

    @Test
    void shouldSeeNothingWhenKeysAreNotThere() {
        try (StateStores stores = new StateStores()) {
            add(stores, "in an empty store");
            lookahead.look();
            stores.put("deleted", "message", 1);
            stores.put("other", "message", 2);
            stores.delete("deleted", 3);
            add(stores, "deleted");
            add(stores, "never there");
            lookahead.look();
            assertThat(lookahead.seen()).isZero();
            stores.delete("other", 4);
            add(stores, "other");
            lookahead.look();
            assertThat(lookahead.seen()).isZero();
        }
    }

    @Test
    void shouldPassOverDeletedVersionsThatSnapshotsKeepWhenItLooks() {
        try (StateStores stores = new StateStores()) {
            stores.put("kept", "message", 1);
            final Snapshot snapshot = stores.snapshots.open(1);
            stores.delete("kept", 2);
            stores.put("kept", "again", 3);
            add(stores, "kept");
            lookahead.look();
            assertThat(lookahead.seen()).isNotZero();
            assertThat(stores.newest("kept")).isEqualTo("again");
            stores.snapshots.close(snapshot);
            stores.reclaimAll();
        }
    }

    @Test
    void shouldGiveUpAfterSomeRowsWhenAllHashesAreEqual() {
        try (StateStores stores = new StateStores(64L << 20, 64L << 20, (base, offset, length) -> 7)) {
            for (int i = 0; i < 1_000; i++) {
                stores.put("key" + i, "message" + i, i + 1);
            }
            add(stores, "key0");
            lookahead.look();
            assertThat(stores.newest("key0")).isEqualTo("message0");
        }
    }

    @Test
    void shouldForgetWhatIsTooMuchWhenMoreKeysAreAdded() {
        try (StateStores stores = new StateStores()) {
            stores.put("key", "message", 1);
            for (int i = 0; i < KeyLookahead.CAPACITY; i++) {
                add(stores, "none" + i);
            }
            add(stores, "key");
            lookahead.look();
            assertThat(lookahead.seen()).isZero();
            lookahead.look();
            assertThat(lookahead.seen()).isZero();
        }
    }

    @Test
    void shouldRefuseAKeyWhenItEndsOutsideItsBuffer() {
        try (StateStores stores = new StateStores()) {
            assertThatThrownBy(() -> lookahead.add(stores.store, new UnsafeBuffer(new byte[4]), 0, 5))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    private void add(final StateStores to, final String key) {
        final byte[] bytes = key.getBytes(UTF_8);
        lookahead.add(to.store, new UnsafeBuffer(bytes), 0, bytes.length);
    }
}
