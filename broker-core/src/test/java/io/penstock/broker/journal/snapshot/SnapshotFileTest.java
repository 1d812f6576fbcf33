package io.penstock.broker.journal.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.storage.DiskStorage;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files with a shard's state, written, damaged and read. */
@Timeout(120)
class SnapshotFileTest {
    private static final int SHARD = 3;
    private static final long SEQUENCE = 77;

    @TempDir
    Path directory;

    @Test
    void shouldReadWhatWasWritten() throws IOException {
        final int[] lengths = {0, 1, 7, 8, 9, 300_000, 5, 262_144, 262_112, 262_113, 12};
        write(lengths);

        assertThat(read())
                .containsExactlyElementsOf(IntStream.of(lengths).boxed().toList());
        assertThat(new SnapshotFiles(storage()).sequences()).containsExactly(SEQUENCE);
    }

    @Test
    void shouldReadManyBlocks() throws IOException {
        final int[] lengths = IntStream.range(0, 20_000).map(i -> i % 100).toArray();
        write(lengths);

        assertThat(read()).hasSize(lengths.length);
    }

    @Test
    void shouldHaveNoNameBeforeItIsPublished() throws IOException {
        final SnapshotWriter writer = writer();
        append(writer, 10, 1);
        writer.finish();
        assertThat(new SnapshotFiles(storage()).sequences()).isEmpty();
        writer.publish();
        assertThat(new SnapshotFiles(storage()).sequences()).containsExactly(SEQUENCE);
    }

    @Test
    void shouldSyncBeforeMuchWaitsForTheDisk() throws IOException {
        final long[] unsynced = new long[2];
        final SnapshotWriter writer = new SnapshotWriter(counting(storage(), unsynced), SHARD, 0, SEQUENCE, 1, 1);
        for (int i = 0; i < 200; i++) {
            append(writer, i == 100 ? 20_000_000 : 200_000, i);
        }
        writer.finish();

        assertThat(unsynced[0]).as("after the last block").isZero();
        assertThat(unsynced[1]).as("the longest entry alone").isBetween(20_000_000L, 20_100_000L);
        writer.publish();
        verify();
    }

    @Test
    void shouldHaveNoMoreUnsyncedThanTheBound() throws IOException {
        final long[] unsynced = new long[2];
        final SnapshotWriter writer = new SnapshotWriter(counting(storage(), unsynced), SHARD, 0, SEQUENCE, 1, 1);
        for (int i = 0; i < 200; i++) {
            append(writer, 200_000, i);
        }
        writer.finish();

        assertThat(unsynced[1])
                .isLessThanOrEqualTo(SnapshotWriter.UNSYNCED_LENGTH_MAX)
                .isGreaterThan(SnapshotWriter.UNSYNCED_LENGTH_MAX / 2);
    }

    /** Notes how many bytes are written and not synced, and the most there were. */
    private static Storage counting(final Storage target, final long[] unsynced) {
        return proxy(Storage.class, target, (method, result, args) -> {
            if (!(result instanceof StoredFile file)) {
                return result;
            }
            return proxy(StoredFile.class, file, (call, nothing, parameters) -> {
                if (call.equals("write")) {
                    unsynced[0] += ((ByteBuffer) parameters[0]).limit();
                    unsynced[1] = Math.max(unsynced[1], unsynced[0]);
                } else if (call.equals("sync")) {
                    unsynced[0] = 0;
                }
                return nothing;
            });
        });
    }

    private static <T> T proxy(final Class<T> type, final T target, final Observer observer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            try {
                return observer.after(method.getName(), method.invoke(target, args), args);
            } catch (final InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    /** Sees calls that have returned, and may give another result. */
    @FunctionalInterface
    private interface Observer {
        Object after(String method, Object result, Object[] args);
    }

    @Test
    void shouldLeaveNothingWhenDiscarded() throws IOException {
        final SnapshotWriter writer = writer();
        append(writer, 10, 1);
        writer.discard();
        assertThat(storage().list()).isEmpty();
    }

    @Test
    void shouldNameEveryFlippedBit() throws IOException {
        write(3, 20, 8);
        final Path file = file();
        final byte[] good = Files.readAllBytes(file);
        for (int bit = 0; bit < 8 * good.length; bit++) {
            final byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << (bit % 8));
            Files.write(file, bad);
            assertThatThrownBy(this::verify)
                    .as("bit %d of byte %d", bit % 8, bit / 8)
                    .isInstanceOf(SnapshotCorruptException.class)
                    .hasMessageContaining(file.toString());
        }
        Files.write(file, good);
        verify();
    }

    @Test
    void shouldNameEveryTruncation() throws IOException {
        write(3, 20, 8);
        final Path file = file();
        final byte[] good = Files.readAllBytes(file);
        for (int length = 0; length < good.length; length++) {
            Files.write(file, Arrays.copyOf(good, length));
            assertThatThrownBy(this::verify).as("cut to %d", length).isInstanceOf(SnapshotCorruptException.class);
        }
        Files.write(file, Arrays.copyOf(good, good.length + 1));
        assertThatThrownBy(this::verify).hasMessageContaining("its trailer says");
    }

    /** Blocks of another snapshot have good checksums, and are not taken for this one's. */
    @Test
    void shouldNameABlockOfAnotherSnapshot() throws IOException {
        write(3, 20, 8);
        final byte[] good = Files.readAllBytes(file());
        Files.move(file(), directory.resolve(SnapshotFormat.name(SEQUENCE + 1)));

        assertThat(good.length).isPositive();
        assertThatThrownBy(() -> SnapshotReader.verify(storage(), SHARD, 0, SEQUENCE + 1))
                .isInstanceOf(SnapshotCorruptException.class)
                .hasMessageContaining("a block of the snapshot at " + SEQUENCE);
    }

    @Test
    void shouldNameAFileOfAnotherShard() throws IOException {
        write(1);
        assertThatThrownBy(() -> SnapshotReader.verify(storage(), SHARD + 1, 0, SEQUENCE))
                .hasMessageContaining("of shard " + SHARD + ", not of " + (SHARD + 1));
    }

    @Test
    void shouldNotOpenAFileOfAnotherLog() throws IOException {
        final SnapshotWriter writer = new SnapshotWriter(storage(), SHARD, 77, SEQUENCE, 5, 1_000);
        writer.finish();
        writer.publish();

        for (final long known : new long[] {0, 77}) {
            try (SnapshotReader reader = new SnapshotReader(storage(), SHARD, known, SEQUENCE)) {
                assertThat(reader.readAll()).isZero();
            }
        }
        assertThatThrownBy(() -> new SnapshotReader(storage(), SHARD, 78, SEQUENCE))
                .isInstanceOf(SnapshotCorruptException.class)
                .hasMessageContaining("a snapshot of another broker's log");
    }

    /** As brokers wrote them before logs had an id. */
    @Test
    void shouldOpenAFileThatDoesNotSayWhoseItIs() throws IOException {
        write(1);
        try (SnapshotReader reader = new SnapshotReader(storage(), SHARD, 78, SEQUENCE)) {
            assertThat(reader.readAll()).isEqualTo(1);
        }
    }

    @Test
    void shouldKeepTwoAndNeedTheLogAfterTheOlder() throws IOException {
        final SnapshotFiles files = new SnapshotFiles(storage());
        assertThat(files.needed()).isEqualTo(1);
        for (final long sequence : new long[] {10, 20, 30}) {
            final SnapshotWriter writer = new SnapshotWriter(storage(), SHARD, 0, sequence, 1, 0);
            writer.finish();
            writer.publish();
            if (sequence == 10) {
                assertThat(files.needed()).isEqualTo(1);
            }
        }
        files.trim();
        assertThat(files.sequences()).containsExactly(30L, 20L);
        assertThat(files.needed()).isEqualTo(21);
        assertThat(files.putAside(30)).endsWith(".damaged");
        assertThat(files.sequences()).containsExactly(20L);
        assertThat(files.needed()).isEqualTo(1);
    }

    private void write(final int... lengths) throws IOException {
        final SnapshotWriter writer = writer();
        for (int i = 0; i < lengths.length; i++) {
            append(writer, lengths[i], i);
        }
        writer.finish();
        writer.publish();
    }

    private SnapshotWriter writer() throws IOException {
        return new SnapshotWriter(storage(), SHARD, 0, SEQUENCE, 5, 1_000);
    }

    private static void append(final SnapshotWriter writer, final int length, final int seed) throws IOException {
        final int at = writer.claim(1 + seed, length);
        for (int i = 0; i < length; i++) {
            writer.buffer().putByte(at + i, (byte) (seed + i));
        }
    }

    private List<Integer> read() throws IOException {
        final List<Integer> lengths = new ArrayList<>();
        try (SnapshotReader reader = new SnapshotReader(storage(), SHARD, 0, SEQUENCE)) {
            assertThat(reader.epoch()).isEqualTo(5);
            while (reader.next()) {
                final int seed = lengths.size();
                assertThat(reader.type()).isEqualTo(1 + seed);
                for (int i = 0; i < reader.length(); i++) {
                    if (reader.buffer().getByte(reader.offset() + i) != (byte) (seed + i)) {
                        throw new AssertionError("entry " + seed + " differs at " + i);
                    }
                }
                lengths.add(reader.length());
            }
        }
        return lengths;
    }

    private void verify() throws IOException {
        SnapshotReader.verify(storage(), SHARD, 0, SEQUENCE);
    }

    private Path file() {
        return directory.resolve(SnapshotFormat.name(SEQUENCE));
    }

    private Storage storage() throws IOException {
        return DiskStorage.open(directory.toString());
    }
}
