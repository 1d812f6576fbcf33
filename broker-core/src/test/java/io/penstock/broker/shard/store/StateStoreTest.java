package io.penstock.broker.shard.store;

import static io.penstock.broker.shard.store.StateStores.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store promises, one thing at a time. */
class StateStoreTest {
    private static final long BUDGET_LENGTH = 1 << 20;

    private final StateStores stores = new StateStores();
    private final StateStores small = new StateStores(BUDGET_LENGTH, BUDGET_LENGTH, KeyHash.DEFAULT);

    @AfterEach
    void close() {
        stores.close();
        small.close();
    }

    @Test
    void shouldFindNothingWhenEmpty() {
        assertThat(stores.find("a")).isEqualTo(StateStore.NO_ROW);
        assertThat(stores.store.rowCount()).isZero();
        assertThat(stores.store.blockCount()).isZero();
        assertThat(stores.store.mayExpire(NEVER - 1)).isFalse();
        assertThat(stores.nextExpired(NEVER - 1)).isEqualTo(StateStore.NO_ROW);
        assertThat(stores.memory.reservedLength()).isZero();
    }

    @Test
    void shouldKeepAllOfAVersionWhenPut() {
        final int row = stores.put("key", "message", 7, 99);
        final long version = stores.store.newest(row);
        assertThat(stores.key(version)).isEqualTo("key");
        assertThat(stores.message(version)).isEqualTo("message");
        assertThat(Version.row(version)).isEqualTo(row);
        assertThat(Version.keyLength(version)).isEqualTo(3);
        assertThat(Version.messageLength(version)).isEqualTo(7);
        assertThat(Version.sequence(version)).isEqualTo(7);
        assertThat(Version.timestampNs(version)).isEqualTo(-7);
        assertThat(Version.expiresNs(version)).isEqualTo(99);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 300, 8_000, 8_150, 8_200, 16_000, 40_000, 70_000, 1_000_000, 5_000_000})
    void shouldKeepAMessageWhenOfAnyLength(final int length) {
        final String text = "x".repeat(length);
        stores.put("a", "short", 1);
        final Snapshot snapshot = stores.snapshots.open(1);
        assertThat(stores.hasRoom("a", length)).isTrue();
        final int row = stores.put("a", text, 2);
        assertThat(stores.newest("a")).isEqualTo(text);
        assertThat(stores.message(stores.store.versionAt(row, 1))).isEqualTo("short");
        stores.put("a", "y", 3);
        assertThat(stores.store.versionLength()).isGreaterThan(length);
        stores.snapshots.close(snapshot);
        stores.reclaimAll();
        stores.delete("a", 4);
        stores.store.close();
        assertThat(stores.memory.usedPageCount()).isZero();
        while (stores.memory.trim()) {
            // Goes on while there is something.
        }
        assertThat(stores.memory.reservedLength()).isLessThanOrEqualTo(StateStores.CHUNK_LENGTH);
    }

    @Test
    void shouldGiveDenseRowsWhenKeysAreNew() {
        for (int i = 0; i < 3 * StateStore.BLOCK_LENGTH; i++) {
            assertThat(stores.put("k" + i, "m", i)).isEqualTo(i);
        }
        assertThat(stores.store.rowCount()).isEqualTo(3 * StateStore.BLOCK_LENGTH);
        assertThat(stores.store.blockCount()).isEqualTo(3);
    }

    @Test
    void shouldKeepItsRowWhenAKeyIsPutAgain() {
        final int row = stores.put("a", "1", 1);
        stores.put("b", "1", 2);
        assertThat(stores.put("a", "22", 3)).isEqualTo(row);
        assertThat(stores.store.liveCount()).isEqualTo(2);
        assertThat(stores.store.messageLength()).isEqualTo(3);
        assertThat(stores.store.keyLength()).isEqualTo(2);
    }

    @Test
    void shouldUseTheRowAgainWhenTheKeyWasDeletedWithoutSnapshots() {
        final int row = stores.put("a", "1", 1);
        stores.delete("a", 2);
        assertThat(stores.find("a")).isEqualTo(StateStore.NO_ROW);
        assertThat(stores.store.newest(row)).isZero();
        assertThat(stores.put("b", "2", 3)).isEqualTo(row);
        assertThat(stores.store.rowCount()).isEqualTo(1);
    }

    @Test
    void shouldNotUseTheRowAgainWhenASnapshotSeesTheDeletedKey() {
        final int row = stores.put("a", "1", 1);
        final Snapshot snapshot = stores.snapshots.open(1);
        stores.delete("a", 2);
        stores.store.reclaim(10);
        final int other = stores.put("b", "2", 3);
        assertThat(other).isNotEqualTo(row);
        assertThat(stores.message(stores.store.versionAt(row, 1))).isEqualTo("1");
        assertThat(stores.store.versionAt(row, 2)).isZero();
        assertThat(stores.store.newest(row)).isZero();
        stores.snapshots.close(snapshot);
        assertThat(stores.store.reclaim(10)).isEqualTo(1);
        assertThat(stores.put("c", "3", 4)).isEqualTo(row);
    }

    @Test
    void shouldTakeANewRowWhenADeletedKeyComesBackUnderASnapshot() {
        final int row = stores.put("a", "1", 1);
        stores.snapshots.open(1);
        stores.delete("a", 2);
        final int again = stores.put("a", "3", 3);
        assertThat(again).isNotEqualTo(row);
        assertThat(stores.newest("a")).isEqualTo("3");
        assertThat(stores.message(stores.store.versionAt(row, 1))).isEqualTo("1");
        assertThat(stores.store.versionAt(again, 1)).isZero();
    }

    @Test
    void shouldRefuseADeleteWhenTheRowHasNoKey() {
        final int row = stores.put("a", "1", 1);
        stores.delete("a", 2);
        assertThatThrownBy(() -> stores.store.delete(row, 3)).hasMessageContaining("without a key: " + row);
    }

    @Test
    void shouldShowEachSnapshotItsVersionWhenSeveralAreOpen() {
        final int row = stores.put("a", "1", 1);
        for (int sequence = 1; sequence < 20; sequence++) {
            stores.snapshots.open(sequence);
            stores.put("a", Integer.toString(sequence + 1), sequence + 1);
        }
        for (int sequence = 1; sequence <= 20; sequence++) {
            assertThat(stores.message(stores.store.versionAt(row, sequence))).isEqualTo(Integer.toString(sequence));
        }
    }

    @Test
    void shouldKeepNothingWhenNoSnapshotIsOpen() {
        for (int sequence = 1; sequence < 1_000; sequence++) {
            stores.put("a", "m".repeat(sequence), sequence);
        }
        assertThat(stores.store.versionLength()).isZero();
        assertThat(stores.store.reclaim(1)).isZero();
    }

    @Test
    void shouldFreeOnlyWhatNoOpenSnapshotSeesWhenOneOfTwoIsClosed() {
        final int row = stores.put("a", "1", 1);
        final Snapshot first = stores.snapshots.open(1);
        stores.put("a", "2", 2);
        final Snapshot second = stores.snapshots.open(2);
        stores.put("a", "3", 3);
        stores.snapshots.close(first);
        assertThat(stores.store.reclaim(10)).isEqualTo(1);
        assertThat(stores.message(stores.store.versionAt(row, 2))).isEqualTo("2");
        stores.snapshots.close(second);
        assertThat(stores.store.reclaim(10)).isEqualTo(1);
        assertThat(stores.newest("a")).isEqualTo("3");
    }

    @Test
    void shouldKeepTheVersionWhenTheSameSequenceIsOpenTwice() {
        final int row = stores.put("a", "1", 1);
        final Snapshot first = stores.snapshots.open(1);
        stores.snapshots.open(1);
        stores.put("a", "2", 2);
        stores.snapshots.close(first);
        stores.snapshots.close(first);
        assertThat(stores.store.reclaim(10)).isZero();
        assertThat(stores.message(stores.store.versionAt(row, 1))).isEqualTo("1");
    }

    @Test
    void shouldNotOpenASnapshotWhenWhatItShowsIsGone() {
        stores.put("a", "1", 1);
        stores.put("a", "2", 2);
        assertThatThrownBy(() -> stores.snapshots.open(1)).hasMessageContaining("behind what was freed: 1 (use 2");
        assertThat(stores.snapshots.openCount()).isZero();
        assertThat(stores.snapshots.oldest()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldReturnWhenABlockChangedLast() {
        for (int i = 0; i <= StateStore.BLOCK_LENGTH; i++) {
            stores.put("k" + i, "m", i + 1);
        }
        stores.put("k5", "n", 10_000);
        assertThat(stores.store.changedAt(0)).isEqualTo(10_000);
        assertThat(stores.store.changedAt(1)).isEqualTo(StateStore.BLOCK_LENGTH + 1);
        stores.delete("k" + StateStore.BLOCK_LENGTH, 10_001);
        assertThat(stores.store.changedAt(1)).isEqualTo(10_001);
    }

    @Test
    void shouldNotExpireBeforeItsTimeWhenPut() {
        final int row = stores.put("a", "1", 1, 50);
        assertThat(stores.store.mayExpire(49)).isFalse();
        assertThat(stores.nextExpired(49)).isEqualTo(StateStore.NO_ROW);
        assertThat(stores.store.mayExpire(50)).isTrue();
        assertThat(stores.nextExpired(50)).isEqualTo(row);
    }

    @Test
    void shouldNotExpireWhenPutAgainWithoutATime() {
        stores.put("a", "1", 1, 50);
        stores.put("a", "2", 2);
        assertThat(stores.nextExpired(60)).isEqualTo(StateStore.NO_ROW);
        assertThat(stores.store.mayExpire(60)).isFalse();
    }

    @Test
    void shouldFindEachExpiredRowOnceWhenManyExpire() {
        final int count = 3 * StateStore.BLOCK_LENGTH;
        for (int i = 0; i < count; i++) {
            stores.put("k" + i, "m", i + 1, i % 7 == 0 ? NEVER : i % 100);
        }
        final List<Integer> expired = new ArrayList<>();
        int callCount = 0;
        while (stores.store.mayExpire(60)) {
            final int row = stores.nextExpired(60);
            callCount++;
            if (row != StateStore.NO_ROW) {
                expired.add(row);
                stores.store.delete(row, count + callCount);
            }
        }
        assertThat(expired).doesNotHaveDuplicates().allMatch(row -> row % 7 != 0 && row % 100 <= 60);
        assertThat((long) expired.size()).isEqualTo(count - stores.store.liveCount());
        assertThat(callCount).isLessThan(2 * expired.size());
    }

    @Test
    void shouldFindThemInTheOrderOfTheirSequencesWhenManyExpireAtOneTime() {
        final int count = 3 * ExpirySearch.CAPACITY;
        for (int i = 0; i < count; i++) {
            stores.put("k" + i, "m", i + 1, 50);
        }
        // Row by row they are in another order then, and some groups expire later than was noted.
        for (int i = 0; i < count; i++) {
            stores.put("k" + (i * 31L % count), "n", count + i + 1, i % 3 == 0 ? 70 : 60);
        }
        long last = 0;
        long lastSequence = 0;
        int expired = 0;
        int calls = 0;
        while (stores.store.mayExpire(80)) {
            assertThat(calls++).isLessThan(2 * count);
            final int row = stores.nextExpired(80);
            if (row != StateStore.NO_ROW) {
                final long version = stores.store.newest(row);
                assertThat(Version.expiresNs(version)).isGreaterThanOrEqualTo(last);
                assertThat(Version.sequence(version)).isGreaterThan(Version.expiresNs(version) > last ? 0 : lastSequence);
                last = Version.expiresNs(version);
                lastSequence = Version.sequence(version);
                stores.store.delete(row, 3 * count + ++expired);
            }
        }
        assertThat(expired).isEqualTo(count);
    }

    @Test
    void shouldFindAnEarlierOneFirstWhenItIsPutWhileOthersAreKnown() {
        stores.put("a", "1", 1, 50);
        stores.put("b", "1", 2, 51);
        assertThat(stores.nextExpired(60)).isEqualTo(stores.find("a"));
        stores.put("c", "1", 3, 40);
        assertThat(stores.nextExpired(60)).isEqualTo(stores.find("c"));
        stores.put("c", "2", 4, 55);
        assertThat(stores.nextExpired(60)).isEqualTo(stores.find("a"));
        stores.delete("a", 5);
        assertThat(stores.nextExpired(60)).isEqualTo(stores.find("b"));
        stores.delete("b", 6);
        assertThat(stores.nextExpired(60)).isEqualTo(stores.find("c"));
    }

    @Test
    void shouldMakeTheOldestSnapshotTooOldWhenTheVersionBudgetIsSpent() {
        try (StateStores budgeted = new StateStores(64L << 20, 10_000, KeyHash.DEFAULT)) {
            final int row = budgeted.put("a", "m".repeat(1_000), 1);
            final Snapshot first = budgeted.snapshots.open(1);
            long sequence = 1;
            while (!first.isTooOld()) {
                assertThat(budgeted.store.versionLength()).isLessThanOrEqualTo(10_000);
                budgeted.put("a", "m".repeat(1_000), ++sequence);
            }
            assertThat(budgeted.store.versionLength()).isGreaterThan(10_000);
            assertThat(sequence).isBetween(10L, 11L);
            assertThat(Version.sequence(budgeted.store.versionAt(row, 1)))
                    .as("its memory stays until it is closed")
                    .isEqualTo(1);
            final Snapshot second = budgeted.snapshots.open(sequence);
            for (int i = 0; i < 8; i++) {
                budgeted.put("a", "m".repeat(1_000), ++sequence);
            }
            assertThat(second.isTooOld())
                    .as("what the first one holds does not count")
                    .isFalse();
            budgeted.snapshots.close(first);
            budgeted.reclaimAll();
            assertThat(budgeted.store.versionLength()).isBetween(8_000L, 10_000L);
            budgeted.put("a", "m".repeat(3_000), ++sequence);
            budgeted.put("a", "m", ++sequence);
            assertThat(second.isTooOld()).isTrue();
        }
    }

    @Test
    void shouldCountDeletedVersionsWhenTheVersionBudgetIsSpent() {
        try (StateStores budgeted = new StateStores(64L << 20, 100, KeyHash.DEFAULT)) {
            budgeted.put("a", "m".repeat(1_000), 1);
            final Snapshot snapshot = budgeted.snapshots.open(1);
            budgeted.delete("a", 2);
            assertThat(snapshot.isTooOld()).isTrue();
        }
    }

    @Test
    void shouldRefuseNewKeysBeforeUpdatesWhenTheBudgetIsSpent() {
        final int count = fill(100);
        final long liveCount = small.store.liveCount();
        assertThat(small.hasRoom("new", 100)).isFalse();
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < count; i++) {
                final int length = 1 + (i * 31 + round * 17) % 100;
                assertThat(small.hasRoom("k" + i, length)).isTrue();
                small.put("k" + i, "u".repeat(length), 10_000_000L + round * 1_000_000L + i);
            }
        }
        assertThat(small.store.liveCount()).isEqualTo(liveCount);
        assertThat(small.memory.reservedLength()).isLessThanOrEqualTo(BUDGET_LENGTH);
    }

    @Test
    void shouldRefuseUpdatesWhenSnapshotsHoldAllMemoryAndGoOnWhenTheyAreClosed() {
        final int count = fill(100);
        final Snapshot snapshot = small.snapshots.open(count);
        long sequence = count;
        while (small.hasRoom("k1", 100)) {
            small.put("k1", "u".repeat(100), ++sequence);
        }
        assertThat(sequence).isGreaterThan(count + 100L);
        final String last = small.newest("k1");
        final long finalSequence = sequence;
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        small.put("k1", "v".repeat(100), finalSequence + 1);
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no memory");
        assertThat(small.newest("k1")).isIn(last, "v".repeat(100));
        small.snapshots.close(snapshot);
        assertThat(small.hasRoom("k1", 100)).isTrue();
        small.put("k1", "w", sequence + 2);
        assertThat(small.newest("k1")).isEqualTo("w");
    }

    @Test
    void shouldLeaveEverythingAsItWasWhenAPutIsRefused() {
        final int count = fill(100);
        final int rowCount = small.store.rowCount();
        final long liveCount = small.store.liveCount();
        final long messageLength = small.store.messageLength();
        final String tooLong = "x".repeat((int) BUDGET_LENGTH);
        assertThat(small.hasRoom("k1", tooLong.length())).isFalse();
        assertThat(small.hasRoom("new", tooLong.length())).isFalse();
        assertThatThrownBy(() -> small.put("k1", tooLong, count + 1)).hasMessageContaining("no memory");
        assertThatThrownBy(() -> small.put("new", tooLong, count + 1)).hasMessageContaining("no memory");
        assertThat(small.store.rowCount()).isEqualTo(rowCount);
        assertThat(small.store.liveCount()).isEqualTo(liveCount);
        assertThat(small.store.messageLength()).isEqualTo(messageLength);
        assertThat(small.find("new")).isEqualTo(StateStore.NO_ROW);
        assertThat(small.newest("k1")).isEqualTo("m".repeat(100));
    }

    @Test
    void shouldDeleteWhenTheBudgetIsSpentAndASnapshotIsOpen() {
        final int count = fill(100);
        small.snapshots.open(count);
        while (small.hasRoom("k1", 100)) {
            small.put("k1", "u".repeat(100), count + 1);
        }
        for (int i = 0; i < count; i++) {
            small.delete("k" + i, count + 2);
        }
        assertThat(small.store.liveCount()).isZero();
    }

    @Test
    void shouldReturnMemoryWhenKeysAreDeleted() {
        final int count = 50_000;
        final String message = "m".repeat(500);
        for (int i = 0; i < count; i++) {
            stores.put("k" + i, message, i);
        }
        final long full = stores.memory.reservedLength();
        for (int i = 0; i < count; i++) {
            stores.delete("k" + i, count + i);
        }
        for (int i = 0; i < full / StateStores.CHUNK_LENGTH; i++) {
            stores.store.reclaim(1);
        }
        final int tables = count * 28 + 40 * Page.LENGTH;
        assertThat(stores.memory.reservedLength()).isLessThan(tables + 3 * StateStores.CHUNK_LENGTH);
    }

    @Test
    void shouldFillUpAgainWhenOtherLengthsWereThereBefore() {
        for (int length = 10; length < 20_000; length *= 3) {
            final int count = fill(length);
            try (StateStores fresh = new StateStores(BUDGET_LENGTH, BUDGET_LENGTH, KeyHash.DEFAULT)) {
                // The rows of more and shorter messages are still there.
                assertThat(count).as("of %d", length).isBetween(fill(fresh, length) / 2, 1 << 20);
            }
            for (int i = 0; i < count; i++) {
                small.delete("k" + i, count + i);
            }
        }
    }

    /** Puts new keys until one is refused. */
    private int fill(final int messageLength) {
        return fill(small, messageLength);
    }

    private static int fill(final StateStores stores, final int messageLength) {
        int count = 0;
        while (stores.hasRoom("k" + count, messageLength)) {
            stores.put("k" + count, "m".repeat(messageLength), count);
            count++;
        }
        return count;
    }
}
