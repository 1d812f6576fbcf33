package io.penstock.broker.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SinkFileTest {
    private static final Random RANDOM = new Random(1);

    /** Of the bits that are flipped, one after the other: all of them, or with another JDK a third, in each place of a byte. */
    private static final int BIT_STEP = Boolean.getBoolean("penstock.second") ? 3 : 1;

    private static final String WRITE_INDEX = "write " + TestSink.SETTINGS.index();
    private static final String SYNC_INDEX = "sync " + TestSink.SETTINGS.index();
    private static final String CUT_FILE = "truncate " + TestSink.SETTINGS.file();

    @TempDir
    Path directory;

    /** Blocks of a first, settled commit, and of a second one. */
    private final List<byte[]> blocks = new ArrayList<>();

    private int settledLength;

    private TestSink twoCommits() throws IOException {
        final TestSink test = new TestSink(directory);
        try (SinkFile sink = test.open()) {
            for (int i = 1; i <= 3; i++) {
                blocks.add(TestSink.bytes(RANDOM, 20 + i));
                TestSink.store(sink, "u\u001Fone", i, blocks.get(i - 1));
            }
            sink.commit();
            settledLength = (int) sink.end();
            for (int i = 4; i <= 5; i++) {
                blocks.add(TestSink.bytes(RANDOM, 30 + i));
                TestSink.store(sink, "u\u001Ftwo", i, blocks.get(i - 1));
            }
            sink.commit();
        }
        return test;
    }

    /** Without the mark that the close has written: as a broker leaves it that was killed. */
    private static byte[] withoutMark(final byte[] index) {
        return TestSink.torn(index, TestSink.end(index) - IndexRecord.NAME_OFFSET);
    }

    @Test
    void shouldHoldBlocksOneBehindTheOtherWhenCommitted() throws IOException {
        final TestSink test = twoCommits();

        assertThat(test.file()).isEqualTo(TestSink.join(blocks));
        assertThat(test.entries()).extracting(IndexEntry::number).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(test.entries()).extracting(IndexEntry::producer).containsExactly("one", "one", "one", "two", "two");
        try (SinkFile sink = test.open()) {
            assertThat(sink.number()).isEqualTo(5);
            assertThat(sink.end()).isEqualTo(test.file().length);
            assertThat(sink.find("u\u001Fone").highest()).isEqualTo(3);
            assertThat(sink.find("u\u001Ftwo").isStored(4)).isTrue();
            assertThat(sink.find("u\u001Ftwo").isStored(3)).isFalse();
        }
    }

    @Test
    void shouldLeaveNothingWhenDroppedOrNotCommitted() throws IOException {
        final TestSink test = twoCommits();
        try (SinkFile sink = test.open()) {
            TestSink.write(sink, new byte[500]);
            sink.drop();
            TestSink.store(sink, "u\u001Fone", 9, new byte[] {1, 2, 3});
            blocks.add(new byte[] {1, 2, 3});
            sink.commit();
            assertThat(test.file()).isEqualTo(TestSink.join(blocks));
            TestSink.store(sink, "u\u001Fone", 10, new byte[100]);
        }

        assertThat(test.file()).isEqualTo(TestSink.join(blocks));
        try (SinkFile sink = test.open()) {
            assertThat(sink.find("u\u001Fone").isStored(9)).isTrue();
            assertThat(sink.find("u\u001Fone").isStored(10)).isFalse();
        }
    }

    @Test
    void shouldForgetBlocksWhenRolledBack() throws IOException {
        final TestSink test = twoCommits();
        try (SinkFile sink = test.open()) {
            TestSink.store(sink, "u\u001Fone", 9, new byte[100]);
            sink.rollBack();
            assertThat(sink.find("u\u001Fone").isStored(9)).isFalse();
            TestSink.store(sink, "u\u001Fone", 9, new byte[] {7});
            sink.commit();
            blocks.add(new byte[] {7});
        }

        assertThat(test.file()).isEqualTo(TestSink.join(blocks));
    }

    /** Killed after any step of the way back, a sink has no block in its index that its file has not. */
    @Test
    void shouldOpenAgainWhenKilledWhileItTakesBackWhatItsIndexHasHalf() throws IOException {
        final TestSink test = twoCommits();
        final List<byte[]> files = new ArrayList<>();
        final List<byte[]> indexes = new ArrayList<>();
        final SinkFile sink = test.open();
        storeFourAndFail(test, sink);
        files.add(test.file());
        indexes.add(test.index());
        test.storage.afterEach(() -> {
            files.add(test.file());
            indexes.add(test.index());
        });
        sink.rollBack();
        test.storage.afterEach(() -> {});

        assertThat(files).hasSizeGreaterThan(2);
        for (int i = 0; i < files.size(); i++) {
            test.put(files.get(i), indexes.get(i));
            try (SinkFile again = test.open()) {
                assertThat(again.number()).as("killed after step %d", i).isBetween(5L, i == 0 ? 7L : 5L);
            }
        }
        assertThat(test.file()).isEqualTo(TestSink.join(blocks));
    }

    /** The order in which it is on the disk, so that no power cut leaves a block in the index alone. */
    @Test
    void shouldSyncAClearedIndexBeforeTheFileIsCutOff() throws IOException {
        final TestSink test = twoCommits();
        for (final boolean isSynced : new boolean[] {true, false}) {
            try (SinkFile sink = test.open(isSynced)) {
                storeFourAndFail(test, sink);
                test.storage.done.clear();
                sink.rollBack();

                assertThat(test.storage.done)
                        .containsExactlyElementsOf(
                                isSynced ? List.of(WRITE_INDEX, SYNC_INDEX, CUT_FILE) : List.of(WRITE_INDEX, CUT_FILE));
                test.storage.done.clear();
                sink.rollBack();
                assertThat(test.storage.done).isEmpty();
                assertThat(sink.failure()).isNull();
            }
        }
    }

    private static void storeFourAndFail(final TestSink test, final SinkFile sink) throws IOException {
        for (int i = 0; i < 4; i++) {
            TestSink.store(sink, "u\u001Ftwo", 10 + i, TestSink.bytes(RANDOM, 40));
        }
        test.storage.failNextWrite(TestSink.SETTINGS.index());
        assertThatThrownBy(sink::commit).isInstanceOf(IOException.class);
    }

    @Test
    void shouldSyncAnIndexWhoseTornEndItHasClearedBeforeAnythingElseChanges() throws IOException {
        final TestSink test = twoCommits();
        final byte[] torn = withoutMark(test.index());
        torn[TestSink.end(torn) + 3 * IndexRecord.LENGTH_MAX] = 1;
        final byte[] longer = Arrays.copyOf(test.file(), test.file().length + 5);

        for (final boolean isSynced : new boolean[] {true, false}) {
            test.put(longer, torn);
            test.storage.done.clear();
            try (SinkFile sink = test.open(isSynced)) {
                assertThat(sink.number()).isEqualTo(5);
                assertThat(test.storage.done).startsWith(WRITE_INDEX, SYNC_INDEX, CUT_FILE);
                assertThat(test.index()).isEqualTo(TestSink.torn(torn, TestSink.end(torn)));
            }
            test.storage.done.clear();
            try (SinkFile sink = test.open(isSynced)) {
                assertThat(sink.number()).isEqualTo(5);
                assertThat(test.storage.done)
                        .as("nothing is to be cleared")
                        .isEqualTo(isSynced ? List.of("sync " + TestSink.SETTINGS.file(), SYNC_INDEX) : List.of());
            }
        }
    }

    @Test
    void shouldEndWithAWholeBlockWhenTheIndexIsTornAnywhere() throws IOException {
        final TestSink test = twoCommits();
        final byte[] file = test.file();
        final byte[] index = withoutMark(test.index());
        final int end = TestSink.end(index);
        final int firstUnsettled = end - 2 * IndexRecord.lengthOf(new byte[5]);

        for (int length = firstUnsettled; length < end - IndexRecord.ALIGNMENT; length++) {
            test.put(file, TestSink.torn(index, length));
            // The name of five bytes has three zeros after it.
            final int whole = length < end - IndexRecord.lengthOf(new byte[5]) - 3 ? 3 : 4;
            try (SinkFile sink = test.open()) {
                assertThat(sink.number()).as("index of %d bytes", length).isEqualTo(whole);
            }
            assertThat(test.file()).isEqualTo(TestSink.join(blocks.subList(0, whole)));
        }
    }

    @Test
    void shouldEndWithAWholeBlockWhenTheFileIsTornAnywhereInWhatIsNotSettled() throws IOException {
        final TestSink test = twoCommits();
        final byte[] file = test.file();
        final byte[] index = withoutMark(test.index());

        for (int length = settledLength; length < file.length; length++) {
            test.put(Arrays.copyOf(file, length), index);
            final int whole = length < settledLength + blocks.get(3).length ? 3 : 4;
            assertThatThrownBy(test::open)
                    .as("was synced before the index had it")
                    .isInstanceOf(SinkDamagedException.class)
                    .hasMessageContaining("does not have block " + (whole + 1));
            try (SinkFile sink = test.open(false)) {
                assertThat(sink.number()).as("file of %d bytes", length).isEqualTo(whole);
                assertThat(sink.find("u\u001Ftwo") != null
                                && sink.find("u\u001Ftwo").isStored(4))
                        .isEqualTo(whole == 4);
            }
            assertThat(test.file()).isEqualTo(TestSink.join(blocks.subList(0, whole)));
        }
    }

    @Test
    void shouldRefuseToOpenWhenTheFileEndsWhereBlocksAreSettled() throws IOException {
        final TestSink test = twoCommits();
        final byte[] file = test.file();
        final byte[] index = test.index();

        for (int length = 0; length < file.length; length++) {
            test.put(Arrays.copyOf(file, length), index);
            assertThatThrownBy(test::open)
                    .as("file of %d bytes", length)
                    .isInstanceOf(SinkDamagedException.class)
                    .hasMessageContaining("ends at byte " + length);
            assertThat(test.file()).hasSize(length);
        }
    }

    @Test
    void shouldRefuseOrLoseNothingSettledWhenABitOfTheIndexIsFlipped() throws IOException {
        final TestSink test = twoCommits();
        final byte[] file = test.file();
        final byte[] index = test.index();
        final int end = TestSink.end(index);
        final int mark = end - IndexRecord.NAME_OFFSET;

        for (int bit = 0; bit < end * 8; bit += BIT_STEP) {
            final byte[] flipped = index.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            test.put(file, flipped);
            if (bit / 8 < mark) {
                assertThatThrownBy(test::open).as("bit %d", bit).isInstanceOf(SinkDamagedException.class);
                assertThat(test.index()).as("left as it was").isEqualTo(flipped);
            } else {
                try (SinkFile sink = test.open()) {
                    assertThat(sink.number()).as("bit %d", bit).isEqualTo(5);
                }
                assertThat(test.file()).isEqualTo(file);
            }
        }
    }

    @Test
    void shouldDropUnsettledBlocksWhoseBytesAreNotTheirsWhenOpened() throws IOException {
        final TestSink test = twoCommits();
        final byte[] file = test.file();
        final byte[] index = withoutMark(test.index());

        for (int at = settledLength; at < file.length; at++) {
            final byte[] flipped = file.clone();
            flipped[at] ^= 1;
            test.put(flipped, index);
            final int whole = at < settledLength + blocks.get(3).length ? 3 : 4;
            assertThatThrownBy(test::open)
                    .isInstanceOf(SinkDamagedException.class)
                    .hasMessageContaining("does not have block " + (whole + 1));
            try (SinkFile sink = test.open(false)) {
                assertThat(sink.number()).as("byte %d", at).isEqualTo(whole);
            }
            assertThat(test.file()).isEqualTo(TestSink.join(blocks.subList(0, whole)));
        }
    }

    @Test
    void shouldRefuseToOpenWhenTheIndexIsCutOffAnywhere() throws IOException {
        final TestSink test = twoCommits();
        final byte[] file = test.file();
        final byte[] index = test.index();

        for (int length = 0; length < TestSink.end(index) + IndexRecord.ZEROS_MIN; length++) {
            test.put(file, Arrays.copyOf(index, length));
            assertThatThrownBy(test::open).as("index of %d bytes", length).isInstanceOf(SinkDamagedException.class);
            assertThat(test.file()).isEqualTo(file);
        }
    }

    @Test
    void shouldGoOnWithAnIndexOfTheVersionBefore() throws IOException {
        final TestSink test = twoCommits();
        final byte[] index = Arrays.copyOf(test.index(), TestSink.end(test.index()));
        final ByteBuffer head = ByteBuffer.wrap(index).order(ByteOrder.LITTLE_ENDIAN);
        head.putInt(IndexRecord.VERSION_OFFSET, IndexRecord.VERSION_WITHOUT_ZEROS);
        final CRC32C crc = new CRC32C();
        crc.update(index, 0, 60);
        head.putInt(60, (int) crc.getValue());
        test.put(test.file(), index);

        for (int id = 6; id <= 7; id++) {
            try (SinkFile sink = test.open()) {
                assertThat(sink.number()).isEqualTo(id - 1);
                TestSink.store(sink, "u\u001Ftwo", id, new byte[] {1});
                sink.commit();
            }
        }
        assertThat(test.entries()).hasSize(7);
        assertThat(test.index()[IndexRecord.VERSION_OFFSET]).isEqualTo((byte) IndexRecord.VERSION);
    }

    @Test
    void shouldRefuseToOpenWhenThereIsAFileWithoutIndex() throws IOException {
        final TestSink test = new TestSink(directory);
        Files.write(directory.resolve(TestSink.SETTINGS.file()), new byte[10]);

        assertThatThrownBy(test::open)
                .isInstanceOf(SinkDamagedException.class)
                .hasMessageContaining("is there without its index");
        assertThat(test.file()).hasSize(10);
    }

    @Test
    void shouldStartAnewWhenTheIndexWasNotMadeWhole() throws IOException {
        final TestSink test = new TestSink(directory);
        Files.write(directory.resolve(TestSink.SETTINGS.index() + ".new"), new byte[10]);

        try (SinkFile sink = test.open()) {
            assertThat(sink.number()).isZero();
        }
    }
}
