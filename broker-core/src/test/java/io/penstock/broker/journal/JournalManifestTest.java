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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JournalManifestTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"manifest.0", "manifest.1"})
    void shouldStayReadableWhenTheOtherFileIsDamagedAndAWriteIsCutShort(final String damaged) throws IOException {
        JournalManifest.read(DiskStorage.open(directory.toString())).begin(1, 7);
        Files.write(directory.resolve(damaged), new byte[10]);

        // The first file that is written is left half written, and nothing follows.
        final JournalManifest manifest = JournalManifest.read(cutShort());
        assertThatThrownBy(() -> manifest.begin(1, 8)).isInstanceOf(IOException.class);

        final JournalManifest found = JournalManifest.read(DiskStorage.open(directory.toString()));
        assertThat(found.isFound()).isTrue();
        assertThat(found.shard(0).logId()).isEqualTo(7);
    }

    @Test
    void shouldWriteBothWhenOneIsDamaged() throws IOException {
        JournalManifest.read(DiskStorage.open(directory.toString())).begin(1, 7);
        Files.write(directory.resolve("manifest.1"), new byte[10]);

        JournalManifest.read(DiskStorage.open(directory.toString())).begin(1, 8);

        assertThat(JournalManifest.read(DiskStorage.open(directory.toString())).problem())
                .isEmpty();
        assertThat(Files.readAllBytes(directory.resolve("manifest.0")))
                .isEqualTo(Files.readAllBytes(directory.resolve("manifest.1")));
    }

    /** A directory in which a file that is opened to be written loses its bytes, and then the broker ends. */
    private Storage cutShort() throws IOException {
        final Storage storage = DiskStorage.open(directory.toString());
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, args) -> {
                    if (method.getName().equals("open") && Boolean.TRUE.equals(args[1])) {
                        Files.write(directory.resolve((String) args[0]), new byte[10]);
                        throw new IOException("the end");
                    }
                    try {
                        return method.invoke(storage, args);
                    } catch (final InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
