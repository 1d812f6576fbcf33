package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.sink.Producer;
import io.penstock.broker.sink.SinkFile;
import io.penstock.broker.sink.SinkSettings;
import io.penstock.broker.storage.DiskStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every file of a killed broker's sinks, in every way that it may be spoilt: the sinks open with every block that was
 * said to be stored, or refuse and name a file. They never open with less.
 */
@Timeout(3600)
class SinkSweepTest {
    private static final int BATCH_COUNT = 30;
    private static final int BATCH_LENGTH = 4;
    private static final int COUNT = BATCH_COUNT * BATCH_LENGTH;
    private static final int BLOCK_LENGTH_MAX = 2_000;
    private static final String PRODUCER = "u\u001Fp";

    @TempDir
    Path folder;

    private byte[] expected = {};

    @ParameterizedTest
    @EnumSource(FileSweep.Spoil.class)
    void shouldOpenWithAllBlocksOrNameAFile(final FileSweep.Spoil spoil) throws IOException {
        final Path pristine = write("sinks", 1);
        final FileSweep sweep = new FileSweep(folder, pristine, write("others", 2), file -> true);
        assertThat(sweep.count()).isEqualTo(4);
        expected = Files.readAllBytes(pristine.resolve("one"));

        assertThat(sweep.run(spoil, this::open)).isEmpty();
    }

    /** Two sinks, as a kill leaves them that comes right after the last acknowledgement. */
    private Path write(final String name, final int seed) throws IOException {
        final Path source = folder.resolve(name + "-source");
        final Path kept = folder.resolve(name);
        final Random random = new Random(seed);
        try (SinkFile one = open(source, null, "one");
                SinkFile two = open(source, null, "two")) {
            for (int batch = 0; batch < BATCH_COUNT; batch++) {
                store(one, random, batch);
                store(two, random, batch);
            }
            FileSweep.copy(source, kept);
        }
        return kept;
    }

    private static void store(final SinkFile sink, final Random random, final int batch) throws IOException {
        for (int i = 1; i <= BATCH_LENGTH; i++) {
            final byte[] block = new byte[1 + random.nextInt(BLOCK_LENGTH_MAX)];
            random.nextBytes(block);
            sink.write(ByteBuffer.allocateDirect(block.length).put(block).flip());
            final CRC32C crc = new CRC32C();
            crc.update(block);
            sink.keep(PRODUCER, batch * BATCH_LENGTH + i, (int) crc.getValue());
        }
        sink.commit();
    }

    private static SinkFile open(final Path directory, final FileSweep.@Nullable Denial denial, final String name)
            throws IOException {
        return SinkFile.open(
                FileSweep.denied(DiskStorage.open(directory.toString()), denial),
                new SinkSettings(name, name, 0, true),
                () -> 1_000);
    }

    private @Nullable String open(final Path directory, final FileSweep.@Nullable Denial denial)
            throws IOException, FileSweep.Refused {
        try (SinkFile one = open(directory, denial, "one");
                SinkFile two = open(directory, denial, "two")) {
            for (final SinkFile sink : new SinkFile[] {one, two}) {
                final Producer producer = sink.find(PRODUCER);
                if (sink.number() != COUNT || producer == null || producer.highest() != COUNT) {
                    return sink.settings().name() + " with " + sink.number() + " of " + COUNT;
                }
            }
        } catch (final IOException e) {
            throw new FileSweep.Refused(e);
        }
        return Arrays.equals(Files.readAllBytes(directory.resolve("one")), expected) ? null : "other bytes";
    }
}
