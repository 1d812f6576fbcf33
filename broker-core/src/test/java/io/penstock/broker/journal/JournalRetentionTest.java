package io.penstock.broker.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.storage.DiskStorage;
import io.penstock.broker.storage.Storage;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that go when they are beyond what is kept. */
class JournalRetentionTest {
    private static final int COUNT = 400;

    @TempDir
    Path directory;

    private boolean isFull;

    @Test
    void shouldLetNoLaterFileGoBeforeOneThatCouldNotBeMoved() throws IOException {
        final Storage archive =
                bounded(DiskStorage.open(directory.resolve("archive").toString()));
        try (SmallJournal journal = new SmallJournal(directory.resolve("log"))) {
            for (int i = 0; i < COUNT; i++) {
                journal.append(1_000);
            }
            journal.commit();
            final JournalRetention retention = new JournalRetention(
                    new JournalSettings(
                            SmallJournal.FILE_LENGTH,
                            SmallJournal.FILE_LENGTH,
                            true,
                            new JournalSettings.Sync(SyncPolicy.ALWAYS, 0, 0),
                            new JournalSettings.Retention(1, 0),
                            new JournalSettings.Snapshots(0, 0, false),
                            1,
                            false),
                    journal.files,
                    KnownFiles.NONE,
                    journal.spares,
                    archive);
            final JournalFile[] files = journal.files.snapshot();
            final String first = files[0].name();
            final String second = files[1].name();
            isFull = true;

            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> retention.release(0, COUNT)).hasMessageContaining("no space");
                assertThat(journal.storage.list()).contains(first, second);
                try (JournalReader reader = new JournalReader(journal.files, 4096)) {
                    reader.seek(1);
                    assertThat(reader.next(COUNT))
                            .as("it can be read meanwhile")
                            .isTrue();
                }
            }
            isFull = false;
            assertThat(retention.release(0, COUNT)).isTrue();
            assertThat(archive.list()).containsExactly(first);
            assertThat(journal.storage.list()).doesNotContain(first).contains(second);

            assertThat(retention.release(0, COUNT)).isTrue();
            assertThat(archive.list()).containsExactly(first, second);
            retention.free();
        }
    }

    @Test
    void shouldNotUseAFileAgainThatHasASecondName() throws IOException {
        final Path copies = Files.createDirectory(directory.resolve("copies"));
        try (SmallJournal journal = new SmallJournal(directory.resolve("log"))) {
            for (int i = 0; i < COUNT; i++) {
                journal.append(1_000);
            }
            journal.commit();
            final String first = journal.files.snapshot()[0].name();
            final byte[] before = Files.readAllBytes(directory.resolve("log").resolve(first));
            while (journal.spares.take() != null) {
                journal.files.count();
            }
            ((DiskStorage) journal.storage).link(first, DiskStorage.open(copies.toString()));

            assertThat(journal.spares.recycle(first)).as("it is gone").isTrue();
            assertThat(journal.spares.isReady()).isFalse();
            assertThat(journal.storage.list()).doesNotContain(first);
            assertThat(Files.readAllBytes(copies.resolve(first))).isEqualTo(before);
        }
    }

    /** The same directory, but that there is no room for files while the disk is full. */
    private Storage bounded(final Storage storage) {
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, args) -> {
                    if (isFull && method.getName().equals("create")) {
                        throw new IOException("no space left on device");
                    }
                    try {
                        return method.invoke(storage, args);
                    } catch (final InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
