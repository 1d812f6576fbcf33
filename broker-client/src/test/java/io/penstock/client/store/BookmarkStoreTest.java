package io.penstock.client.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.Bookmark;
import io.penstock.client.BookmarkStore;
import io.penstock.client.PenstockException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BookmarkStoreTest {
    @TempDir
    Path directory;

    @Test
    void shouldKeepTheLastOfEachShardAndNeverGoBack() {
        try (BookmarkStore store = BookmarkStore.inMemory()) {
            assertThat(store.last("a")).isEqualTo(Bookmark.NONE);
            store.note("a", 2, 7);
            store.note("a", 0, 5);
            store.note("a", 2, 6);
            store.note("b", 0, 1);
            assertThat(store.last("a")).hasToString("0:5,2:7");
            store.forget("a");
            assertThat(store.last("a")).isEqualTo(Bookmark.NONE);
            assertThat(store.last("b")).hasToString("0:1");
        }
    }

    @Test
    void shouldBeThereAgainWhenOpenedAgain() {
        try (BookmarkStore store = file(100)) {
            store.note("name with spaces", 0, 5);
            store.note("other", 1, 6);
            store.note("gone", 1, 6);
            store.forget("gone");
        }
        try (BookmarkStore store = file(100)) {
            assertThat(store.last("name with spaces")).hasToString("0:5");
            assertThat(store.last("other")).hasToString("1:6");
            assertThat(store.last("gone")).isEqualTo(Bookmark.NONE);
            assertThat(store.names()).containsExactlyInAnyOrder("name with spaces", "other");
        }
    }

    @Test
    void shouldLoseNoMoreThanABatchWhereverAWriteEnded() throws IOException {
        final BookmarkStore whole = file(3);
        for (int i = 1; i <= 12; i++) {
            whole.note("a", 0, i);
        }
        final byte[] bytes = Files.readAllBytes(file0());
        whole.close();
        long last = 0;
        for (int length = StoreFileHead.LENGTH; length <= end(bytes); length++) {
            Files.write(file0(), Arrays.copyOf(Arrays.copyOf(bytes, length), bytes.length));
            try (BookmarkStore store = file(3)) {
                final long found = store.last("a").sequence(0);
                assertThat(found).as("cut off at %d", length).isIn(-1L, 3L, 6L, 9L, 12L);
                assertThat(found).isGreaterThanOrEqualTo(last == 0 ? -1 : last);
                last = Math.max(last, found);
            }
        }
        assertThat(last).isEqualTo(12);
    }

    @Test
    void shouldNameThePlaceOfAChangedBit() throws IOException {
        try (BookmarkStore store = file(1)) {
            store.note("a", 0, 1);
            store.note("a", 0, 2);
        }
        final byte[] bytes = Files.readAllBytes(file0());
        for (int bit = 0; bit < end(bytes) * 8; bit++) {
            final byte[] changed = bytes.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file0(), changed);
            assertThatThrownBy(() -> file(1))
                    .as("bit %d", bit)
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining(file0() + ": damaged at byte ");
        }
    }

    @Test
    void shouldKeepAllNamesWhenFilesAreUsedInTurn() throws IOException {
        try (BookmarkStore store = file(1)) {
            store.note("first", 3, 4);
            for (int i = 1; i <= 60_000; i++) {
                store.note("often", 0, i);
            }
        }
        assertThat(Files.size(file0())).isLessThanOrEqualTo(2 * 1024 * 1024);
        assertThat(Files.size(file1())).isBetween(1L, 2 * 1024 * 1024L);
        try (BookmarkStore store = file(1)) {
            assertThat(store.last("first")).hasToString("3:4");
            assertThat(store.last("often")).hasToString("0:60000");
        }
    }

    /** The newest file has only some names then, and the next turn empties the one that has all. */
    @Test
    void shouldKeepAllNamesWhenItWasKilledInATurnAndInTheNext() throws IOException {
        try (BookmarkStore store = file(1)) {
            store.note("first", 3, 4);
        }
        for (int generation = 2; generation <= 4; generation++) {
            final Path newest = generation % 2 == 0 ? file1() : file0();
            try (BookmarkStore store = file(1)) {
                for (int i = 0; generation(newest) != generation; i++) {
                    store.note("often", 0, generation * 100_000L + i);
                }
            }
            final byte[] bytes = Files.readAllBytes(newest);
            Arrays.fill(bytes, StoreFileHead.LENGTH, bytes.length, (byte) 0);
            Files.write(newest, bytes);
        }
        try (BookmarkStore store = file(1)) {
            assertThat(store.last("first")).hasToString("3:4");
            assertThat(store.last("often").sequence(0)).isGreaterThan(400_000);
        }
    }

    @Test
    void shouldKeepAllNamesWhenATurnHasFailedAndItWasKilledInTheNext() throws IOException {
        final FaultyDisk disk = new FaultyDisk();
        final Path copies = Files.createDirectory(directory.resolve("copies"));
        final String tail = "n".repeat(2000);
        try (BookmarkStore store = FileBookmarkStore.open(directory.resolve("bookmarks"), 1, disk)) {
            for (int i = 0; i < 60; i++) {
                store.note(i + tail, 0, i);
            }
            noteUntilATurnFails(store, disk, 0);
            disk.growthLimit(Long.MAX_VALUE);
            noteUntilATurnFails(store, disk, 1);
            Files.copy(file0(), copies.resolve("bookmarks.0"));
            Files.copy(file1(), copies.resolve("bookmarks.1"));
            disk.growthLimit(Long.MAX_VALUE);
        }
        for (final Path found : List.of(copies, directory)) {
            try (BookmarkStore store = BookmarkStore.inFile(found.resolve("bookmarks"), 1)) {
                assertThat(store.names()).hasSize(61);
                for (int i = 0; i < 60; i++) {
                    assertThat(store.last(i + tail)).hasToString("0:" + i);
                }
            }
        }
    }

    /** The newest file is as long as it gets, and the other one takes no more than the first names. */
    private void noteUntilATurnFails(final BookmarkStore store, final FaultyDisk disk, final int newest)
            throws IOException {
        final Path file = newest == 0 ? file0() : file1();
        final long[] sequence = {newest * 1_000_000L};
        while (Files.size(file) < 2 * 1024 * 1024) {
            store.note("often", 0, ++sequence[0]);
        }
        disk.growthLimit(64 * 1024);
        assertThatThrownBy(() -> {
                    while (true) {
                        store.note("often", 0, ++sequence[0]);
                    }
                })
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining((newest == 0 ? file1() : file0()) + ": cannot be made longer");
    }

    private static long generation(final Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            final ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            return channel.read(bytes, 16) < 8 ? -1 : bytes.getLong(0);
        }
    }

    /** Where the records end: with an end mark, and then zeros. */
    private static int end(final byte[] bytes) {
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }

    private BookmarkStore file(final int batch) {
        return BookmarkStore.inFile(directory.resolve("bookmarks"), batch);
    }

    private Path file0() {
        return directory.resolve("bookmarks.0");
    }

    private Path file1() {
        return directory.resolve("bookmarks.1");
    }
}
