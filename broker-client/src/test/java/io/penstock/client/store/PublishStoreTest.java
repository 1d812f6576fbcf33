package io.penstock.client.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.PenstockException;
import io.penstock.client.PublishStore;
import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublishStoreTest {
    private static final int LENGTH = 4096;
    private static final List<Integer> SIZES = List.of(1, 300, 700, 20, 600, 5, 900, 400);

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepMessagesInOrderUntilTheyAreDiscarded(final boolean isFile) {
        try (PublishStore store = store(isFile)) {
            append(store, 1, "a");
            append(store, 2, "b");
            append(store, 5, "c");
            store.discard(1);
            assertThat(kept(store)).containsExactly("2 b", "5 c");
            store.remove(2);
            assertThat(kept(store)).containsExactly("5 c");
            store.discard(9);
            assertThat(kept(store)).isEmpty();
            assertThat(store.lastSequence()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRefuseMoreThanItsBoundsAndTakeMoreLater(final boolean isFile) {
        try (PublishStore store = store(isFile)) {
            long sequence = 0;
            while (append(store, sequence + 1, "x".repeat(500))) {
                sequence++;
            }
            assertThat(sequence).isBetween(6L, 8L);
            store.discard(2);
            assertThat(append(store, sequence + 1, "y".repeat(500))).isTrue();
            store.discard(sequence);
            for (int i = 0; i < 10; i++) {
                assertThat(append(store, sequence + 2 + i, "z"))
                        .as("message %d", i)
                        .isEqualTo(i < 8);
            }
            assertThatThrownBy(() -> append(store, 100, "x".repeat(LENGTH / 2)))
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.MESSAGE_TOO_LONG));
        }
    }

    @Test
    void shouldGoOnWhereItWasWhenOpenedAgain() {
        try (PublishStore store = file()) {
            append(store, 7, "a");
            append(store, 8, "b");
            append(store, 9, "c");
            store.discard(7);
            store.remove(8);
        }
        try (PublishStore store = file()) {
            assertThat(kept(store)).containsExactly("9 c");
            store.discard(9);
        }
        try (PublishStore store = file()) {
            assertThat(kept(store)).isEmpty();
            assertThat(store.lastSequence()).isEqualTo(9);
        }
    }

    @Test
    void shouldHoldWhatWasSynced() {
        try (PublishStore store = PublishStore.inFile(path(), 9, LENGTH, PublishStore.Sync.EACH)) {
            append(store, 1, "a");
        }
        try (PublishStore store = file()) {
            assertThat(kept(store)).containsExactly("1 a");
        }
    }

    @Test
    void shouldRefuseFilesThatAnotherClientUses() {
        try (PublishStore store = file()) {
            assertThat(store.lastSequence()).isZero();
            assertThatThrownBy(this::file)
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("in use by another client");
        }
    }

    @Test
    void shouldRefuseToForgetWhenOpenedWithSmallerBounds() {
        try (PublishStore store = file()) {
            append(store, 1, "a");
            append(store, 2, "b");
        }
        assertThatThrownBy(() -> PublishStore.inFile(path(), 1, LENGTH, PublishStore.Sync.OS))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("open it with larger bounds");
    }

    @Test
    void shouldHoldWholeMessagesWhereverAWriteEnded() throws IOException {
        final byte[] bytes = threeMessages();
        for (int length = StoreFileHead.LENGTH; length < end(bytes); length++) {
            Files.write(file0(), Arrays.copyOf(Arrays.copyOf(bytes, length), bytes.length));
            try (PublishStore store = file()) {
                final List<String> kept = kept(store);
                assertThat(kept)
                        .as("cut off at %d", length)
                        .isEqualTo(List.of("1 a", "2 bb", "3 " + "c".repeat(40)).subList(0, kept.size()));
                append(store, 10, "next");
            }
            try (PublishStore store = file()) {
                assertThat(kept(store)).as("cut off at %d", length).endsWith("10 next");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"some note", "x", "PTOCKPUx"})
    void shouldLeaveAFileOfAnotherProgramAsItIs(final String text) throws IOException {
        for (final byte[] bytes : List.of(
                text.getBytes(UTF_8),
                (text + "y".repeat(100)).getBytes(UTF_8),
                ("\0".repeat(99) + text + "y").getBytes(UTF_8))) {
            for (final String name : List.of("store.0", "store.1")) {
                Files.deleteIfExists(file0());
                Files.deleteIfExists(file1());
                final Path file = Files.write(directory.resolve(name), bytes);
                assertThatThrownBy(this::file)
                        .isInstanceOf(PenstockException.class)
                        .hasMessageContaining(file + ": damaged at byte ")
                        .hasMessageContaining("is no file of this store");
                assertThat(file).hasBinaryContent(bytes);
            }
        }
    }

    @Test
    void shouldBeginAnewWhereverTheMakingOfItsFileEnded() throws IOException {
        final byte[] head = Arrays.copyOf(threeMessages(), StoreFileHead.LENGTH);
        for (int length = 0; length < StoreFileHead.LENGTH; length++) {
            for (final byte[] begun : List.of(new byte[length], Arrays.copyOf(head, length))) {
                Files.deleteIfExists(file1());
                Files.write(file0(), begun);
                try (PublishStore store = file()) {
                    assertThat(kept(store)).as("ended after %d", length).isEmpty();
                }
            }
        }
    }

    @Test
    void shouldRefuseAFileThatWasCutOffAnywhere() throws IOException {
        final byte[] bytes = threeMessages();
        for (int length = 0; length < end(bytes) + 8; length++) {
            final byte[] cut = Arrays.copyOf(bytes, length);
            Files.write(file0(), cut);
            assertThatThrownBy(this::file)
                    .as("cut off at %d", length)
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining(file0().toString());
            assertThat(Files.readAllBytes(file0())).isEqualTo(cut);
        }
    }

    @Test
    void shouldGoOnWithFilesOfTheVersionBefore() throws IOException {
        final byte[] bytes = threeMessages();
        final ByteBuffer old = ByteBuffer.wrap(Arrays.copyOf(bytes, end(bytes))).order(ByteOrder.LITTLE_ENDIAN);
        old.putInt(8, 1).putInt(12, 0);
        final CRC32C crc = new CRC32C();
        crc.update(old.array(), 0, 24);
        old.putInt(24, (int) crc.getValue()).putInt(28, ~(int) crc.getValue());
        Files.write(file0(), old.array());
        Files.write(file1(), new byte[0]);

        for (int sequence = 4; sequence <= 5; sequence++) {
            try (PublishStore store = file()) {
                assertThat(kept(store)).hasSize(sequence - 1).startsWith("1 a", "2 bb");
                append(store, sequence, "d");
            }
        }
        Files.delete(file1());
        assertThatThrownBy(this::file).hasMessageContaining("the older file of the store is missing");
    }

    @Test
    void shouldTakeZerosAtTheEndForAWriteThatWasNotDone() throws IOException {
        final byte[] bytes = threeMessages();
        Files.write(file0(), Arrays.copyOf(bytes, bytes.length + 512));
        try (PublishStore store = file()) {
            assertThat(kept(store)).hasSize(3);
        }
    }

    /** When the power fails, a disk has written some sectors of a message and not others, whatever their order. */
    @ParameterizedTest
    @EnumSource(PublishStore.Sync.class)
    void shouldGoOnBeforeAMessageOfWhichASectorWasNotWritten(final PublishStore.Sync sync) throws IOException {
        Files.write(file0(), withoutASectorOfTheSecond(sync, false));
        try (PublishStore store = file(sync)) {
            assertThat(kept(store)).containsExactly("1 a");
            append(store, 2, "again");
        }
        try (PublishStore store = file(sync)) {
            assertThat(kept(store)).containsExactly("1 a", "2 again");
        }
    }

    @Test
    void shouldRefuseAHoleBeforeAMessageThatWasWrittenAfterItWasSynced() throws IOException {
        final byte[] bytes = withoutASectorOfTheSecond(PublishStore.Sync.EACH, true);
        Files.write(file0(), bytes);
        assertThatThrownBy(() -> file(PublishStore.Sync.EACH))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining(file0() + ": damaged at byte ");
        assertThat(Files.readAllBytes(file0())).isEqualTo(bytes);
        // Nothing was promised to those who leave it to the system, which writes what it likes first.
        try (PublishStore store = file()) {
            assertThat(kept(store)).containsExactly("1 a");
        }
    }

    /** The system writes pages in any order, and a disk sectors: after a loss of power some hold zeros still. */
    @ParameterizedTest
    @ValueSource(ints = {512, 4096})
    void shouldEndBeforeWhatTheSystemHadNotWritten(final int lost) throws IOException {
        final byte[] bytes = messages(PublishStore.Sync.OS);
        for (int from = 0; from < end(bytes); from += lost) {
            final byte[] holed = bytes.clone();
            Arrays.fill(holed, Math.max(from, StoreFileHead.LENGTH), from + lost, (byte) 0);
            Files.write(file0(), holed);
            final List<String> expected = wholeBefore(from);
            try (PublishStore store = file()) {
                assertThat(kept(store)).as("lost from %d on", from).isEqualTo(expected);
                append(store, 10, "next");
            }
            expected.add("10 next");
            try (PublishStore store = file()) {
                assertThat(kept(store)).as("lost from %d on", from).isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldRefuseAHoleWhenAWholeMessageIsBehindItAndEachWasSynced() throws IOException {
        final byte[] bytes = messages(PublishStore.Sync.EACH);
        final int last = ends().get(SIZES.size() - 2);
        for (int from = 512; from < end(bytes); from += 512) {
            final byte[] holed = bytes.clone();
            Arrays.fill(holed, from, from + 512, (byte) 0);
            Files.write(file0(), holed);
            if (from + 512 <= last) {
                assertThatThrownBy(() -> file(PublishStore.Sync.EACH))
                        .as("lost from %d on", from)
                        .isInstanceOf(PenstockException.class)
                        .hasMessageContaining(file0() + ": damaged at byte ");
                assertThat(Files.readAllBytes(file0())).isEqualTo(holed);
            } else {
                try (PublishStore store = file(PublishStore.Sync.EACH)) {
                    assertThat(kept(store)).as("lost from %d on", from).isEqualTo(wholeBefore(from));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(PublishStore.Sync.class)
    void shouldRefuseAChangedByteOfLongMessages(final PublishStore.Sync sync) throws IOException {
        final byte[] bytes = messages(sync);
        for (int at = 0; at < end(bytes); at += 3) {
            final byte[] changed = bytes.clone();
            changed[at] ^= 0x10;
            Files.write(file0(), changed);
            assertThatThrownBy(() -> file(sync))
                    .as("byte %d", at)
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining(file0() + ": damaged at byte ");
        }
    }

    /** Zeros where a message begins are no lost sector when its other bytes are there. */
    @Test
    void shouldRefuseZerosThatEndWithinASector() throws IOException {
        final byte[] bytes = messages(PublishStore.Sync.OS);
        for (final int begin : ends().subList(0, SIZES.size() - 2)) {
            final byte[] changed = bytes.clone();
            Arrays.fill(changed, begin, begin + 8, (byte) 0);
            Files.write(file0(), changed);
            assertThatThrownBy(this::file)
                    .as("message at %d", begin)
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining(file0() + ": damaged at byte " + begin);
        }
    }

    @Test
    void shouldNameThePlaceOfEachBitThatHasChanged() throws IOException {
        final byte[] bytes = threeMessages();
        for (int bit = 0; bit < end(bytes) * 8; bit++) {
            final byte[] changed = bytes.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file0(), changed);
            assertThatThrownBy(this::file)
                    .as("bit %d of byte %d", bit % 8, bit / 8)
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining(file0() + ": damaged at byte ");
            assertThat(Files.readAllBytes(file0())).isEqualTo(changed);
        }
    }

    @Test
    void shouldNotGrowWhenMessagesComeAndGo() throws IOException {
        try (PublishStore store = file()) {
            for (int i = 1; i <= 2_000; i++) {
                append(store, i, "x".repeat(i % 300));
                if (i % 3 == 0) {
                    store.discard(i - 2);
                }
            }
        }
        assertThat(Files.size(file0())).isLessThanOrEqualTo(64 * 1024);
        assertThat(Files.size(file1())).isLessThanOrEqualTo(64 * 1024);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldBeWhatAModelIs(final boolean isFile) {
        for (int seed = 0; seed < (isFile ? 50 : 200); seed++) {
            final Random random = new Random(seed);
            final TreeMap<Long, String> model = new TreeMap<>();
            PublishStore store = store(isFile);
            long last = store.lastSequence();
            store.discard(last);
            for (int step = 0; step < 100; step++) {
                switch (random.nextInt(isFile ? 7 : 6)) {
                    case 0, 1, 2, 3 -> {
                        final String text = "x".repeat(random.nextInt(900));
                        if (append(store, last + 1, text)) {
                            model.put(++last, text);
                        }
                    }
                    case 4 -> {
                        final long upTo = last - random.nextInt(5);
                        store.discard(upTo);
                        model.headMap(upTo, true).clear();
                    }
                    case 5 -> {
                        final long removed = last - random.nextInt(5);
                        if (model.containsKey(removed)) {
                            store.remove(removed);
                            model.remove(removed);
                        }
                    }
                    default -> {
                        store.close();
                        store = file();
                    }
                }
                final List<String> expected = new ArrayList<>();
                model.forEach((sequence, text) -> expected.add(sequence + " " + text));
                assertThat(kept(store)).as("seed %d, step %d", seed, step).isEqualTo(expected);
                assertThat(store.lastSequence()).isEqualTo(last);
            }
            store.close();
        }
    }

    private byte[] threeMessages() throws IOException {
        final PublishStore store = file();
        append(store, 1, "a");
        append(store, 2, "bb");
        append(store, 3, "c".repeat(40));
        final byte[] bytes = Files.readAllBytes(file0());
        store.close();
        return bytes;
    }

    /** A store whose messages begin and end in different sectors. */
    private byte[] messages(final PublishStore.Sync sync) throws IOException {
        final PublishStore store = file(sync);
        for (int i = 0; i < SIZES.size(); i++) {
            append(store, i + 1, "x".repeat(SIZES.get(i)));
        }
        final byte[] bytes = Files.readAllBytes(file0());
        store.close();
        assertThat(end(bytes)).isEqualTo(ends().get(SIZES.size() - 1));
        return bytes;
    }

    /** Where the records of these messages end. */
    private static List<Integer> ends() {
        final List<Integer> ends = new ArrayList<>();
        int end = StoreFileHead.LENGTH;
        for (final int size : SIZES) {
            end += BitUtil.align(40 + size, 8);
            ends.add(end);
        }
        return ends;
    }

    private static List<String> wholeBefore(final int place) {
        final List<String> whole = new ArrayList<>();
        for (int i = 0; i < SIZES.size() && ends().get(i) <= place; i++) {
            whole.add(i + 1 + " " + "x".repeat(SIZES.get(i)));
        }
        return whole;
    }

    /** Where the records end: with an end mark, and then zeros. */
    private static int end(final byte[] bytes) {
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }

    private PublishStore store(final boolean isFile) {
        return isFile ? file() : PublishStore.inMemory(9, LENGTH);
    }

    private byte[] withoutASectorOfTheSecond(final PublishStore.Sync sync, final boolean isFollowed)
            throws IOException {
        final PublishStore store = file(sync);
        append(store, 1, "a");
        append(store, 2, "b".repeat(1600));
        if (isFollowed) {
            append(store, 3, "c");
        }
        final byte[] bytes = Files.readAllBytes(file0());
        store.close();
        Arrays.fill(bytes, 512, 1024, (byte) 0);
        return bytes;
    }

    private PublishStore file() {
        return file(PublishStore.Sync.OS);
    }

    private PublishStore file(final PublishStore.Sync sync) {
        return PublishStore.inFile(path(), 9, LENGTH, sync);
    }

    private Path path() {
        return directory.resolve("store");
    }

    private Path file0() {
        return directory.resolve("store.0");
    }

    private Path file1() {
        return directory.resolve("store.1");
    }

    private static boolean append(final PublishStore store, final long sequence, final String text) {
        final UnsafeBuffer frame = new UnsafeBuffer(("-" + text).getBytes(UTF_8));
        return store.append(sequence, frame, 1, frame.capacity() - 1);
    }

    private static List<String> kept(final PublishStore store) {
        final List<String> kept = new ArrayList<>();
        final long[] from = new long[1];
        while (store.read(from[0], (sequence, frame, offset, length) -> {
            kept.add(sequence + " " + frame.getStringWithoutLengthUtf8(offset, length));
            from[0] = sequence + 1;
            return true;
        })) {}
        return kept;
    }
}
