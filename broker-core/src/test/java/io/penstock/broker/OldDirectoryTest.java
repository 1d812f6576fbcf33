package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The directory of a killed broker that knew no manifest, no followers in heads, and no commits at the ends of groups. */
class OldDirectoryTest {
    private static final int COUNT = 1_500;

    @TempDir
    Path directory;

    @BeforeEach
    void unpack() throws IOException {
        try (InputStream packed =
                        Objects.requireNonNull(OldDirectoryTest.class.getResourceAsStream("log-without-manifest.zip"));
                ZipInputStream files = new ZipInputStream(packed)) {
            ZipEntry entry;
            while ((entry = files.getNextEntry()) != null) {
                final Path file = directory.resolve(entry.getName());
                Files.createDirectories(Objects.requireNonNull(file.getParent()));
                Files.write(file, files.readAllBytes());
            }
        }
    }

    @Test
    void shouldRefuseAndSayWhatToDo() {
        assertThatThrownBy(() -> start(JournalConfig.OnDamage.REFUSE).close())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(directory.resolve("shard-0").toString())
                .hasMessageContaining("start once with journal.onDamage: quarantine");
    }

    @Test
    void shouldGoOnWithEverythingWhenTheFilesAreDeclaredComplete() {
        try (TestBroker test = start(JournalConfig.OnDamage.QUARANTINE)) {
            assertThat(test.takeErrors()).hasSize(1);
            assertThat(replayed(test)).isEqualTo(COUNT);
        }
        try (TestBroker test = start(JournalConfig.OnDamage.REFUSE)) {
            assertThat(replayed(test)).isEqualTo(COUNT);
        }
    }

    private static int replayed(final TestBroker test) {
        final RawClient client = test.logOn("reader");
        client.subscribeFrom(2, 7, ReplayRequest.topic("t").from(LogPlace.BEGINNING));
        test.settle();
        return client.deliveries.size();
    }

    private TestBroker start(final JournalConfig.OnDamage onDamage) {
        return new TestBroker(builder -> builder.journal(JournalConfig.in(directory.toString())
                        .withFileLength(64 * 1024)
                        .withOnDamage(onDamage))
                .topic(TopicConfig.topic("t", "json")));
    }
}
