package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
        for (int length = StoreFile.HEAD_LENGTH; length <= end(bytes); length++) {
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
        assertThat(Files.size(directory.resolve("bookmarks.1"))).isBetween(1L, 2 * 1024 * 1024L);
        try (BookmarkStore store = file(1)) {
            assertThat(store.last("first")).hasToString("3:4");
            assertThat(store.last("often")).hasToString("0:60000");
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
}
