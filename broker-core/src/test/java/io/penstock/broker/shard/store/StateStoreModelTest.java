package io.penstock.broker.shard.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A store and a naive model take the same puts, deletes, expiries, snapshots and reclaims; every open snapshot has to
 * show, row by row, what the model says. The long form: {@code -Dpenstock.seeds=5000}.
 */
class StateStoreModelTest {
    private static final int STEP_COUNT = 1_500;
    private static final int MESSAGE_LENGTH_MAX = 400;

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("penstock.seeds", 40));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldShowWhatTheModelShowsWhenChangedAtRandom(final long seed) {
        run(seed, KeyHash.DEFAULT, 1 << (seed % 10));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldShowWhatTheModelShowsWhenHashesCollide(final long seed) {
        final int differentHashes = (int) (seed % 3) + 1;
        run(seed, (base, offset, length) -> KeyHash.DEFAULT.hash(base, offset, length) % differentHashes, 100);
    }

    private static void run(final long seed, final KeyHash hash, final int keyCount) {
        try (StateStores stores = new StateStores(64L << 20, 64L << 20, hash)) {
            final Run run = new Run(stores, new Random(seed), keyCount);
            for (int i = 0; i < STEP_COUNT; i++) {
                run.step();
            }
            run.check();
            run.drain();
        }
    }

    /** One run; a model keeps, for each key, all its values by sequence; null where it was deleted. */
    private static final class Run {
        private final StateStores stores;
        private final Random random;
        private final int keyCount;
        private final Map<String, TreeMap<Long, String>> model = new HashMap<>();
        private final Map<String, Long> expiries = new HashMap<>();
        private final List<Snapshot> open = new ArrayList<>();
        private long sequence;
        private long nowNs;

        private Run(final StateStores stores, final Random random, final int keyCount) {
            this.stores = stores;
            this.random = random;
            this.keyCount = keyCount;
        }

        private void step() {
            final int choice = random.nextInt(100);
            final String key = key();
            if (choice < 60) {
                put(key);
            } else if (choice < 75) {
                if (stores.find(key) != StateStore.NO_ROW) {
                    delete(key);
                }
            } else if (choice < 82) {
                open.add(stores.snapshots.open(sequence));
            } else if (choice < 89) {
                if (!open.isEmpty()) {
                    stores.snapshots.close(open.remove(random.nextInt(open.size())));
                }
            } else if (choice < 94) {
                stores.store.reclaim(random.nextInt(20));
            } else if (choice < 98) {
                nowNs += random.nextInt(40);
                expire();
            } else {
                check();
            }
        }

        private String key() {
            final int number = random.nextInt(keyCount);
            // Keys of all lengths, among them the empty one.
            return number == 0 ? "" : "k".repeat(number % 23) + number;
        }

        private void put(final String key) {
            final String message = "m".repeat(random.nextInt(MESSAGE_LENGTH_MAX)) + sequence;
            final long expiresNs = random.nextInt(3) == 0 ? nowNs + random.nextInt(100) : StateStores.NEVER;
            assertThat(stores.hasRoom(key, message.length())).isTrue();
            final int found = stores.find(key);
            final int row = stores.put(key, message, ++sequence, expiresNs);
            assertThat(found).isIn(row, StateStore.NO_ROW);
            assertThat(Version.expiresNs(stores.store.newest(row))).isEqualTo(expiresNs);
            assertThat(Version.timestampNs(stores.store.newest(row))).isEqualTo(-sequence);
            model.computeIfAbsent(key, k -> new TreeMap<>()).put(sequence, message);
            expiries.put(key, expiresNs);
        }

        private void delete(final String key) {
            stores.delete(key, ++sequence);
            gone(key);
        }

        private void gone(final String key) {
            model.computeIfAbsent(key, k -> new TreeMap<>()).put(sequence, null);
            expiries.remove(key);
        }

        private void expire() {
            int calls = 0;
            while (stores.store.mayExpire(nowNs)) {
                assertThat(calls++).isLessThan(10_000);
                final int row = stores.nextExpired(nowNs);
                if (row != StateStore.NO_ROW) {
                    final String key = stores.key(stores.store.newest(row));
                    assertThat(expiries.get(key)).isLessThanOrEqualTo(nowNs);
                    assertThat(expiries.keySet()).allMatch(other -> compare(key, other) <= 0);
                    if (random.nextBoolean()) {
                        stores.store.delete(row, ++sequence);
                        gone(key);
                    } else {
                        stores.put(key, "again" + sequence, ++sequence, nowNs + 1 + random.nextInt(50));
                        model.get(key).put(sequence, "again" + (sequence - 1));
                        expiries.put(key, Version.expiresNs(stores.store.newest(row)));
                    }
                }
            }
            assertThat(expiries.values()).allMatch(time -> time > nowNs);
        }

        /** Which of two keys expires first: the earlier one, and of one time that with the lower sequence. */
        private int compare(final String key, final String other) {
            final int byTime = Long.compare(expiries.get(key), expiries.get(other));
            return byTime != 0
                    ? byTime
                    : Long.compare(model.get(key).lastKey(), model.get(other).lastKey());
        }

        private void check() {
            final Map<String, String> newest = at(sequence);
            assertThat(stores.store.liveCount()).isEqualTo(newest.size());
            assertThat(stores.store.keyLength())
                    .isEqualTo(
                            newest.keySet().stream().mapToLong(String::length).sum());
            assertThat(stores.memory.live().bytes())
                    .isEqualTo(stores.store.keyLength()
                            + stores.store.messageLength()
                            + (long) LiveLength.RECORD_LENGTH * newest.size());
            assertThat(stores.store.messageLength())
                    .isEqualTo(
                            newest.values().stream().mapToLong(String::length).sum());
            for (int i = 0; i < keyCount; i++) {
                final String key = i == 0 ? "" : "k".repeat(i % 23) + i;
                assertThat(stores.newest(key)).isEqualTo(newest.get(key));
            }
            for (final Snapshot snapshot : open) {
                assertThat(shown(snapshot.sequence())).isEqualTo(at(snapshot.sequence()));
            }
        }

        private Map<String, String> shown(final long at) {
            final Map<String, String> shown = new HashMap<>();
            for (int row = 0; row < stores.store.rowCount(); row++) {
                final long version = stores.store.versionAt(row, at);
                if (version != 0) {
                    assertThat(Version.row(version)).isEqualTo(row);
                    assertThat(Version.sequence(version)).isLessThanOrEqualTo(at);
                    assertThat(shown.put(stores.key(version), stores.message(version)))
                            .isNull();
                }
            }
            return shown;
        }

        private Map<String, String> at(final long at) {
            final Map<String, String> values = new HashMap<>();
            model.forEach((key, versions) -> {
                final Map.Entry<Long, String> entry = versions.floorEntry(at);
                if (entry != null && entry.getValue() != null) {
                    values.put(key, entry.getValue());
                }
            });
            return values;
        }

        /** In the end nothing is left behind. */
        private void drain() {
            open.forEach(stores.snapshots::close);
            stores.reclaimAll();
            assertThat(stores.store.versionLength()).isZero();
            assertThat(stores.store.rowCount()).isLessThanOrEqualTo(2 * keyCount + STEP_COUNT);
            at(sequence).keySet().forEach(this::delete);
            assertThat(stores.store.liveCount()).isZero();
            stores.store.close();
            assertThat(stores.memory.usedPageCount()).isZero();
        }
    }
}
