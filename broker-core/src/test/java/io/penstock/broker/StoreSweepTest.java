package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.BookmarkStore;
import io.penstock.client.PenstockException;
import io.penstock.client.PublishStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every file of a killed client's stores, in every way that it may be spoilt: a store opens with all that was kept, or
 * refuses and names a file. It never opens with less.
 */
@Timeout(3600)
class StoreSweepTest {
    private static final int LENGTH = 32 * 1024;
    private static final int LIMIT = 1_000;
    private static final int NOTE_COUNT = 60_000;

    @TempDir
    Path folder;

    private final TreeMap<Long, String> kept = new TreeMap<>();

    @ParameterizedTest
    @EnumSource(FileSweep.Spoil.class)
    void shouldOpenWithAllMessagesOrNameAFile(final FileSweep.Spoil spoil) throws IOException {
        assumeThatFilesCanBeDenied(spoil);
        final Path pristine = publishes("publishes", 40, 400);
        final Path foreign = publishes("others", 40, 400);
        final FileSweep sweep = new FileSweep(folder, pristine, foreign, file -> true);
        assertThat(sweep.count()).isEqualTo(2);

        assertThat(sweep.run(spoil, this::openPublishes)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(FileSweep.Spoil.class)
    void shouldOpenWithAllMessagesOrNameAFileWhenItIsYoung(final FileSweep.Spoil spoil) throws IOException {
        assumeThatFilesCanBeDenied(spoil);
        final FileSweep sweep = new FileSweep(folder, publishes("young", 0, 20), publishes("others", 0, 20), f -> true);

        assertThat(sweep.run(spoil, this::openPublishes)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(FileSweep.Spoil.class)
    void shouldOpenWithAllBookmarksOrNameAFile(final FileSweep.Spoil spoil) throws IOException {
        assumeThatFilesCanBeDenied(spoil);
        final FileSweep sweep = new FileSweep(folder, bookmarks("bookmarks", 1), bookmarks("others", 2), file -> true);

        assertThat(sweep.run(spoil, this::openBookmarks)).isEmpty();
    }

    /** A store in which files were used in turn more than once, and some messages are kept. */
    private Path publishes(final String name, final int discarded, final int count) throws IOException {
        final Path source = Files.createDirectory(folder.resolve(name + "-source"));
        final Path copy = folder.resolve(name);
        kept.clear();
        try (PublishStore store = PublishStore.inFile(source.resolve("p"), LIMIT, LENGTH, PublishStore.Sync.OS)) {
            for (int i = 1; i <= count; i++) {
                final String text = name + i + "x".repeat(300);
                final UnsafeBuffer frame = new UnsafeBuffer(text.getBytes(UTF_8));
                assertThat(store.append(i, frame, 0, frame.capacity())).isTrue();
                kept.put((long) i, text);
                if (i > discarded) {
                    if (discarded > 0) {
                        store.discard(i - discarded);
                        kept.headMap((long) i - discarded, true).clear();
                    }
                }
            }
            FileSweep.copy(source, copy);
        }
        return copy;
    }

    private @Nullable String openPublishes(final Path directory, final FileSweep.@Nullable Denial denial)
            throws IOException, FileSweep.Refused {
        deny(denial);
        try (PublishStore store = PublishStore.inFile(directory.resolve("p"), LIMIT, LENGTH, PublishStore.Sync.OS)) {
            final TreeMap<Long, String> found = new TreeMap<>();
            final long[] from = new long[1];
            while (store.read(from[0], (sequence, frame, offset, length) -> {
                found.put(sequence, frame.getStringWithoutLengthUtf8(offset, length));
                from[0] = sequence + 1;
                return true;
            })) {}
            found.keySet().removeIf(sequence -> sequence < kept.firstKey());
            final boolean isWhole = sameTexts(found) && store.lastSequence() == kept.lastKey();
            return isWhole ? null : found.size() + " of " + kept.size() + ", last " + store.lastSequence();
        } catch (final PenstockException e) {
            throw new FileSweep.Refused(e);
        }
    }

    /** Of the store that was made first: the other one's have another name in them. */
    private boolean sameTexts(final SortedMap<Long, String> found) {
        final List<String> texts = new ArrayList<>();
        found.values().forEach(text -> texts.add(text.replaceAll("^[a-z]+", "")));
        final boolean isOne = found.values().stream()
                        .map(text -> text.replaceAll("\\d.*", ""))
                        .distinct()
                        .count()
                <= 1;
        return isOne
                && texts.equals(kept.values().stream()
                        .map(text -> text.replaceAll("^[a-z]+", ""))
                        .toList());
    }

    private Path bookmarks(final String name, final int shard) throws IOException {
        final Path source = Files.createDirectory(folder.resolve(name + "-source"));
        final Path copy = folder.resolve(name);
        try (BookmarkStore store = BookmarkStore.inFile(source.resolve("p"), 1)) {
            store.note("first", shard, 4);
            for (int i = 1; i <= NOTE_COUNT; i++) {
                store.note("often", shard, i);
            }
            FileSweep.copy(source, copy);
        }
        return copy;
    }

    private @Nullable String openBookmarks(final Path directory, final FileSweep.@Nullable Denial denial)
            throws IOException, FileSweep.Refused {
        deny(denial);
        try (BookmarkStore store = BookmarkStore.inFile(directory.resolve("p"), 1)) {
            final String found = store.last("first") + " " + store.last("often");
            return found.equals("1:4 1:" + NOTE_COUNT) ? null : found;
        } catch (final PenstockException e) {
            throw new FileSweep.Refused(e);
        }
    }

    private static void deny(final FileSweep.@Nullable Denial denial) throws IOException {
        if (denial != null) {
            Files.setPosixFilePermissions(
                    denial.file(), PosixFilePermissions.fromString(denial.isUnreadable() ? "---------" : "r--------"));
        }
    }

    private void assumeThatFilesCanBeDenied(final FileSweep.Spoil spoil) throws IOException {
        if (spoil == FileSweep.Spoil.UNREADABLE || spoil == FileSweep.Spoil.READ_ONLY) {
            final Path file = Files.createFile(folder.resolve("denied"));
            deny(new FileSweep.Denial(file, true));
            Assumptions.assumeFalse(Files.isReadable(file), "whoever may do everything is denied nothing");
        }
    }
}
