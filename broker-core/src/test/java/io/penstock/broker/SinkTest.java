package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.security.Action;
import io.penstock.broker.security.Authenticator;
import io.penstock.broker.storage.DiskStorage;
import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Producers deliver blocks: each is in the file as a whole and once, and nobody else's business. */
class SinkTest {
    private static final int MEMORY = 256 * 1024;
    private static final Random RANDOM = new Random(7);

    @TempDir
    Path directory;

    private TestBroker broker() {
        return broker(SinkConfig.named("events"));
    }

    private TestBroker broker(final SinkConfig sink) {
        return new TestBroker(
                builder -> builder.sinks(SinksConfig.in(directory.toString(), sink, SinkConfig.named("other"))
                        .withMemory(MEMORY, MEMORY)));
    }

    private byte[] file() throws IOException {
        return Files.readAllBytes(directory.resolve("events"));
    }

    private static byte[] block(final int length) {
        final byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    private static byte[] join(final byte[]... blocks) {
        return Arrays.stream(blocks).reduce(new byte[0], (a, b) -> {
            final byte[] both = Arrays.copyOf(a, a.length + b.length);
            System.arraycopy(b, 0, both, a.length, b.length);
            return both;
        });
    }

    @Test
    void shouldMergeBlocksInTheOrderInWhichTheyAreComplete() throws IOException {
        try (TestBroker test = broker()) {
            final SinkClient one = SinkClient.open(test, "events", "one");
            final SinkClient two = SinkClient.open(test, "events", "two");
            final byte[] first = block(5_000);
            final byte[] second = block(3_000);
            one.offer(1, first);
            two.offer(1, second);
            test.await(() -> one.granted.contains(1L) && two.granted.contains(1L));
            one.send(test, 1, Arrays.copyOf(first, 4_000), 1_000);
            two.send(test, 1, second, 700);
            test.await(() -> two.stored.size() == 1);
            one.data(1, 4_000, Arrays.copyOfRange(first, 4_000, 5_000));
            test.await(() -> one.stored.size() == 1);

            assertThat(two.stored).containsExactly(new SinkClient.Stored(1, 1, 0));
            assertThat(one.stored).containsExactly(new SinkClient.Stored(1, 2, 3_000));
            assertThat(file()).isEqualTo(join(second, first));
            assertThat(test.broker.counter("blocksStored")).isEqualTo(2);
            assertThat(test.broker.counter("blockBytesStored")).isEqualTo(8_000);
            assertThat(test.broker.counter("blockMemoryUsed")).isZero();
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldKeepSinksApartWhenThereAreSeveral() throws IOException {
        try (TestBroker test = broker()) {
            SinkClient.open(test, "events", "p").put(test, 1, new byte[] {1, 2});
            SinkClient.open(test, "other", "p").put(test, 1, new byte[] {3});

            assertThat(file()).containsExactly(1, 2);
            assertThat(Files.readAllBytes(directory.resolve("other"))).containsExactly(3);
        }
    }

    @Test
    void shouldGrantNoMoreThanTheMemoryAndTheRestLater() throws IOException {
        try (TestBroker test = broker()) {
            final SinkClient one = SinkClient.open(test, "events", "one");
            final SinkClient two = SinkClient.open(test, "events", "two");
            final byte[] half = block(MEMORY / 2);
            final byte[] all = block(MEMORY);
            one.offer(1, half);
            test.await(() -> one.granted.contains(1L));
            two.offer(1, all);
            test.settle();
            one.offer(2, half);
            test.settle();

            assertThat(two.granted).as("does not fit").isEmpty();
            assertThat(one.granted).as("does not overtake").containsExactly(1L);
            assertThat(test.broker.counter("blockMemoryUsed")).isEqualTo(MEMORY / 2);

            one.send(test, 1, half, 60_000);
            test.await(() -> two.granted.contains(1L));
            two.send(test, 1, all, 60_000);
            test.await(() -> one.granted.contains(2L));
            one.send(test, 2, half, 60_000);
            test.await(() -> one.stored.size() == 2);
            assertThat(file()).isEqualTo(join(half, all, half));
        }
    }

    @Test
    void shouldGiveRoomInTurnWhenOneProducerOffersMuchMore() {
        try (TestBroker test = broker()) {
            final SinkClient greedy = SinkClient.open(test, "events", "greedy");
            final SinkClient modest = SinkClient.open(test, "events", "modest");
            for (int i = 1; i <= 100; i++) {
                greedy.offer(i, new byte[64 * 1024]);
            }
            test.settle();
            assertThat(greedy.granted).containsExactly(1L, 2L, 3L, 4L);
            modest.offer(1, new byte[64 * 1024]);
            test.settle();
            greedy.send(test, 1, new byte[64 * 1024], 60_000);
            test.await(() -> greedy.stored.size() == 1);
            greedy.send(test, 2, new byte[64 * 1024], 60_000);
            test.await(() -> greedy.stored.size() == 2);
            test.settle();

            assertThat(modest.granted).as("one of the next two turns is its").containsExactly(1L);
        }
    }

    @Test
    void shouldLeaveNothingWhenAProducerDiesMidway() throws IOException {
        try (TestBroker test = broker()) {
            final SinkClient dying = SinkClient.open(test, "events", "dying");
            final SinkClient other = SinkClient.open(test, "events", "other");
            for (int i = 1; i <= 4; i++) {
                dying.offer(i, new byte[64 * 1024]);
            }
            test.await(() -> dying.granted.size() == 4);
            other.offer(1, new byte[] {9, 8});
            dying.data(1, 0, new byte[60_000]);
            test.settle();
            assertThat(other.granted).isEmpty();

            dying.raw.disconnect();
            test.await(() -> other.granted.contains(1L));
            other.data(1, 0, new byte[] {9, 8});
            test.await(() -> other.stored.size() == 1);

            assertThat(file()).containsExactly(9, 8);
            assertThat(test.broker.counter("blockMemoryUsed")).isZero();
            assertThat(test.broker.counter("sinkWriters")).isEqualTo(1);
        }
    }

    @Test
    void shouldStoreABlockOnceWhenItIsDeliveredAgain() throws IOException {
        final byte[] first = block(2_000);
        try (TestBroker test = broker()) {
            final SinkClient before = SinkClient.open(test, "events", "p");
            before.put(test, 1, first);
            before.put(test, 3, new byte[] {3});
            before.raw.disconnect();
            final SinkClient after = SinkClient.open(test, "events", "p");
            assertThat(after.openedBlockId).isEqualTo(3);
            after.offer(1, first);
            after.offer(3, new byte[] {3});
            test.await(() -> after.stored.size() == 2);
            after.put(test, 2, new byte[] {2});

            assertThat(after.stored)
                    .containsExactly(
                            new SinkClient.Stored(1, 0, -1),
                            new SinkClient.Stored(3, 0, -1),
                            new SinkClient.Stored(2, 3, 2_001));
        }
        try (TestBroker test = broker()) {
            final SinkClient restarted = SinkClient.open(test, "events", "p");
            assertThat(restarted.openedBlockId).isEqualTo(3);
            restarted.offer(2, new byte[] {2});
            test.await(() -> restarted.stored.size() == 1);
            assertThat(restarted.stored).containsExactly(new SinkClient.Stored(2, 0, -1));
            assertThat(file()).isEqualTo(join(first, new byte[] {3}, new byte[] {2}));
            assertThat(test.broker.counter("blocksRepeated")).isEqualTo(1);
        }
    }

    @Test
    void shouldStoreABlockOnceWhenTwoConnectionsHaveItUnderWay() throws IOException {
        try (TestBroker test = broker()) {
            final SinkClient before = SinkClient.open(test, "events", "p");
            before.offer(1, new byte[] {1});
            test.await(() -> before.granted.contains(1L));
            final SinkClient after = SinkClient.open(test, "events", "p");
            assertThat(before.raw.fatalErrors).containsExactly(ErrorCode.REPLACED);
            after.put(test, 1, new byte[] {1});

            assertThat(file()).containsExactly(1);
        }
    }

    @Test
    void shouldStoreASuccessorsBlockWhenItsPredecessorsCameLateUnderTheSameId() throws IOException {
        final List<Consumer<SinkClient>> ends = List.of(
                before -> before.data(1, 0, new byte[] {1}),
                before -> {
                    before.data(1, 0, new byte[] {1});
                    before.close();
                },
                before -> {
                    before.data(1, 0, new byte[] {1});
                    before.raw.disconnect();
                },
                before -> before.offer(2, new byte[] {3}));
        for (final Consumer<SinkClient> end : ends) {
            try (TestBroker test = broker()) {
                final String producer = "p" + ends.indexOf(end);
                final int start = file().length;
                final SinkClient before = SinkClient.open(test, "events", producer);
                final SinkClient after = new SinkClient(test.logOn(""));
                before.offer(1, new byte[] {1});
                test.await(() -> before.granted.contains(1L));
                end.accept(before);
                after.open("events", producer, "", 0);
                test.await(() -> after.openedBlockId >= 0);
                assertThat(after.openedBlockId).as("case %d", ends.indexOf(end)).isZero();
                after.put(test, 1, new byte[] {2});
                after.put(test, 2, new byte[] {4});

                assertThat(Arrays.copyOfRange(file(), start, file().length))
                        .as("case %d", ends.indexOf(end))
                        .containsExactly(2, 4);
                assertThat(test.broker.counter("blocksRepeated")).isZero();
                assertThat(test.broker.counter("blockMemoryUsed")).isZero();
                test.assertNothingLeaked();
            }
        }
    }

    @Test
    void shouldRefuseABlockWhoseChecksumIsAnother() throws IOException {
        try (TestBroker test = broker()) {
            final SinkClient client = SinkClient.open(test, "events", "p");
            client.offer(1, -1, 3, 12345);
            test.await(() -> client.granted.contains(1L));
            client.data(1, 0, new byte[] {1, 2, 3});
            test.settle();

            assertThat(client.raw.errors).containsExactly(ErrorCode.BAD_BLOCK);
            assertThat(client.raw.errorTexts.get(0)).contains("checksum");
            assertThat(file()).isEmpty();
            client.put(test, 2, new byte[] {7});
            assertThat(file()).containsExactly(7);
        }
    }

    @Test
    void shouldRefuseBlocksWhenTheSinkIsAsLongAsItMayBe() throws IOException {
        try (TestBroker test = broker(new SinkConfig("events", "", 10, SinkConfig.Sync.OS))) {
            final SinkClient client = SinkClient.open(test, "events", "p");
            client.put(test, 1, new byte[8]);
            client.offer(2, new byte[3]);
            test.await(() -> client.granted.contains(2L));
            client.data(2, 0, new byte[3]);
            test.settle();
            assertThat(client.raw.errors).containsExactly(ErrorCode.SINK_FULL);
            client.put(test, 3, new byte[2]);

            assertThat(file()).hasSize(10);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, MEMORY + 1, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldRefuseALengthThatCannotBe(final int length) {
        try (TestBroker test = broker()) {
            final SinkClient client = SinkClient.open(test, "events", "p");
            client.offer(1, -1, length, 0);
            test.settle();

            assertThat(client.raw.errors).containsExactly(ErrorCode.MESSAGE_TOO_LONG);
            assertThat(test.broker.counter("blockMemoryUsed")).isZero();
            client.put(test, 2, new byte[] {1});
        }
    }

    @Test
    void shouldRefuseWhatMakesNoSenseAndGoOn() {
        try (TestBroker test = broker()) {
            final SinkClient client = new SinkClient(test.logOn(""));
            client.offer(1, new byte[1]);
            client.open("nothing", "p", "", 0);
            test.settle();
            assertThat(client.raw.errors).containsExactly(ErrorCode.UNKNOWN_SINK, ErrorCode.UNKNOWN_SINK);
            client.open("events", "", "", 0);
            client.open("events", "a\u0001", "", 0);
            client.open("", "p", "", 0);
            client.open("events", "p", "", 0);
            test.await(() -> client.openedBlockId == 0);
            client.open("events", "p", "", 0);
            client.offer(0, new byte[1]);
            client.offer(-5, new byte[1]);
            client.offer(1, 0, 10, 0);
            client.offer(1, Long.MAX_VALUE, 10, 0);
            client.offer(4, new byte[1]);
            client.offer(4, new byte[1]);
            test.settle();

            assertThat(client.raw.errors.subList(2, client.raw.errors.size()))
                    .containsExactly(
                            ErrorCode.BAD_TEXT,
                            ErrorCode.BAD_TEXT,
                            ErrorCode.BAD_TEXT,
                            ErrorCode.BAD_BLOCK,
                            ErrorCode.BAD_BLOCK,
                            ErrorCode.BAD_BLOCK,
                            ErrorCode.BAD_BLOCK,
                            ErrorCode.BAD_BLOCK,
                            ErrorCode.BAD_BLOCK);
            client.data(4, 0, new byte[1]);
            test.await(() -> client.stored.size() == 1);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldRefuseAnIdThatIsTooOldToBeKnown() {
        try (TestBroker test = broker()) {
            final SinkClient client = SinkClient.open(test, "events", "p");
            client.put(test, 5_000, new byte[1]);
            client.offer(5_000 - 1024, new byte[1]);
            test.settle();
            assertThat(client.raw.errors).containsExactly(ErrorCode.BAD_BLOCK);
            client.put(test, 5_000 - 1023, new byte[1]);
        }
    }

    @Test
    void shouldRefuseAnIdThatHasBecomeTooOldWhileItWasUnderWay() throws IOException {
        try (TestBroker test = broker()) {
            final SinkClient client = SinkClient.open(test, "events", "p");
            client.offer(976, new byte[] {1});
            client.offer(2_000, new byte[] {2});
            test.await(() -> client.granted.size() == 2);
            client.data(2_000, 0, new byte[] {2});
            client.data(976, 0, new byte[] {1});
            test.settle();

            assertThat(client.stored).containsExactly(new SinkClient.Stored(2_000, 1, 0));
            assertThat(client.raw.errors).containsExactly(ErrorCode.BAD_BLOCK);
            assertThat(client.raw.errorTexts.get(0)).contains("too old: 976 (the highest is 2000;");
            assertThat(file()).containsExactly(2);
            assertThat(test.broker.counter("blockMemoryUsed")).isZero();
        }
    }

    @Test
    void shouldRefuseAProducerThatIsOpenOnTheSameConnection() throws IOException {
        try (TestBroker test = broker()) {
            final SinkClient client = SinkClient.open(test, "events", "p");
            client.open(8, "events", "p", "", 0);
            client.open(9, "other", "p", "", 0);
            test.settle();
            assertThat(client.raw.errors).containsExactly(ErrorCode.BAD_BLOCK);
            assertThat(client.raw.errorTexts.get(0))
                    .contains("producer is open on this connection already: p (close that writer,");
            assertThat(client.raw.fatalErrors).isEmpty();
            client.put(test, 1, new byte[] {1});
            client.close();
            client.openedBlockId = -1;
            client.open(8, "events", "p", "", 0);
            test.await(() -> client.openedBlockId == 1);

            assertThat(file()).containsExactly(1);
        }
    }

    @Test
    void shouldEndTheSessionWhenAPartWasNotAskedFor() throws IOException {
        final List<Consumer<SinkClient>> mistakes = List.of(
                client -> client.data(1, 1, new byte[2]),
                client -> client.data(1, -1, new byte[2]),
                client -> client.data(1, 0, new byte[11]),
                client -> client.data(1, 0, new byte[0]),
                client -> client.data(2, 0, new byte[2]),
                client -> client.data(99, 1, 0, new byte[2]),
                client -> {
                    client.data(1, 0, new byte[6]);
                    client.data(1, 5, new byte[2]);
                },
                client -> {
                    client.data(1, 0, new byte[6]);
                    client.data(1, 6, new byte[5]);
                },
                client -> {
                    client.data(1, 0, new byte[10]);
                    client.data(1, 10, new byte[1]);
                },
                client -> {
                    client.close();
                    client.data(1, 0, new byte[1]);
                });
        for (final Consumer<SinkClient> mistake : mistakes) {
            try (TestBroker test = broker()) {
                final SinkClient other = SinkClient.open(test, "events", "other");
                final SinkClient client = SinkClient.open(test, "events", "p" + mistakes.indexOf(mistake));
                client.offer(1, new byte[10]);
                test.await(() -> client.granted.contains(1L));
                mistake.accept(client);
                test.settle();

                assertThat(client.raw.fatalErrors)
                        .as("mistake %d", mistakes.indexOf(mistake))
                        .containsExactly(ErrorCode.BAD_FRAME);
                other.put(test, other.openedBlockId + 1, new byte[] {1});
                assertThat(test.broker.counter("blockMemoryUsed")).isZero();
                test.assertNothingLeaked();
            }
        }
    }

    @Test
    void shouldDisconnectAProducerThatWasGivenRoomAndSendsNothing() {
        try (TestBroker test = broker()) {
            final SinkClient client = SinkClient.open(test, "events", "p");
            client.offer(1, new byte[10]);
            test.await(() -> client.granted.contains(1L));
            for (int i = 0; i < 40; i++) {
                client.raw.heartbeat();
                test.advance(100);
            }

            assertThat(client.raw.fatalErrors).containsExactly(ErrorCode.TIMED_OUT);
            assertThat(test.broker.counter("blockMemoryUsed")).isZero();
        }
    }

    @Test
    void shouldRefuseAProducerWhenTheAuthorizerDoes() {
        try (TestBroker test = new TestBroker(builder -> builder.security(new SecurityConfig(
                        Authenticator.NONE,
                        (principal, action, name) -> action != Action.DELIVER || name.equals("other"),
                        false))
                .sinks(SinksConfig.in(directory.toString(), SinkConfig.named("events"), SinkConfig.named("other"))))) {
            final SinkClient client = new SinkClient(test.logOn(""));
            client.open("events", "p", "", 0);
            test.settle();
            assertThat(client.raw.errors).containsExactly(ErrorCode.NOT_AUTHORIZED);
            client.open("other", "p", "", 0);
            test.await(() -> client.openedBlockId == 0);
        }
    }

    @Test
    void shouldRefuseBlocksOfAProducerThatMayNotDeliverAnyMore() {
        try (TestBroker test = new TestBroker(
                builder -> builder.sinks(SinksConfig.in(directory.toString(), SinkConfig.named("events"))))) {
            final SinkClient client = SinkClient.open(test, "events", "p");
            client.put(test, 1, new byte[] {1});
            test.broker.permissions((principal, action, name) -> action != Action.DELIVER);
            client.offer(2, new byte[] {2});
            test.await(() -> !client.raw.errors.isEmpty());

            assertThat(client.raw.errors).containsExactly(ErrorCode.NOT_AUTHORIZED);
        }
    }

    @Test
    void shouldRefuseProducersWhenThereIsNoSink() {
        try (TestBroker test = new TestBroker()) {
            final SinkClient client = new SinkClient(test.logOn(""));
            client.open("events", "p", "", 0);
            client.offer(1, new byte[1]);
            client.close();
            test.settle();
            assertThat(client.raw.errors)
                    .containsExactly(ErrorCode.UNKNOWN_SINK, ErrorCode.UNKNOWN_SINK, ErrorCode.UNKNOWN_SINK);
            client.data(1, 0, new byte[1]);
            test.settle();
            assertThat(client.raw.fatalErrors).containsExactly(ErrorCode.BAD_FRAME);
        }
    }

    @Test
    void shouldRefuseBlocksAndGoOnWhenTheDiskCannotBeWrittenForAWhile() throws IOException {
        final HeldStorage.Gate disk = new HeldStorage.Gate();
        try (TestBroker test =
                new TestBroker(builder -> builder.storage(path -> new HeldStorage(DiskStorage.open(path), disk))
                        .sinks(SinksConfig.in(directory.toString(), SinkConfig.named("events"))))) {
            final SinkClient client = SinkClient.open(test, "events", "p");
            client.put(test, 1, new byte[] {1});
            disk.fill();
            client.offer(2, new byte[] {2});
            test.await(() -> client.granted.contains(2L));
            client.data(2, 0, new byte[] {2});
            test.await(() -> !client.raw.errors.isEmpty());
            assertThat(client.raw.errors).containsExactly(ErrorCode.SINK_FULL);
            disk.mend();
            client.offer(2, new byte[] {2});
            client.offer(3, new byte[] {3});
            test.await(() -> client.granted.size() == 4);
            client.data(2, 0, new byte[] {2});
            client.data(3, 0, new byte[] {3});
            test.await(() -> client.stored.size() == 3);

            assertThat(file()).containsExactly(1, 2, 3);
            assertThat(test.takeErrors()).hasSize(1);
        }
    }

    @Test
    void shouldTakeNothingMoreWhenASyncFailed() throws IOException {
        final HeldStorage.Gate disk = new HeldStorage.Gate();
        try (TestBroker test =
                new TestBroker(builder -> builder.storage(path -> new HeldStorage(DiskStorage.open(path), disk))
                        .sinks(SinksConfig.in(directory.toString(), SinkConfig.named("events"))))) {
            final SinkClient client = SinkClient.open(test, "events", "p");
            client.put(test, 1, new byte[] {1});
            disk.fail();
            for (int id = 2; id <= 3; id++) {
                client.offer(id, new byte[] {2});
                final long awaited = id;
                test.await(() -> client.granted.contains(awaited));
                client.data(id, 0, new byte[] {2});
                test.await(() -> client.raw.errors.size() == awaited - 1);
                disk.mend();
            }

            assertThat(client.raw.errors).containsExactly(ErrorCode.SINK_FAILED, ErrorCode.SINK_FAILED);
            assertThat(client.stored).hasSize(1);
            test.takeErrors();
        }
        try (TestBroker test = broker()) {
            assertThat(file()).as("what was refused is not there").containsExactly(1);
            SinkClient.open(test, "events", "p").put(test, 2, new byte[] {9});
            assertThat(file()).containsExactly(1, 9);
        }
    }

    @Test
    void shouldNotStartWhenASinkIsDamagedOrInUse() throws IOException {
        try (TestBroker test = broker()) {
            SinkClient.open(test, "events", "p").put(test, 1, block(1_000));
            assertThatThrownBy(this::broker)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("in use");
        }
        Files.write(directory.resolve("events"), new byte[999]);

        assertThatThrownBy(this::broker)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("ends at byte 999");
        Files.delete(directory.resolve("events"));
        Files.delete(directory.resolve("events.blocks"));
        broker().close();
    }

    @Test
    void shouldRefuseNewBlocksAndWaitForThoseUnderWayWhenDraining() throws IOException {
        try (TestBroker test = broker()) {
            final SinkClient client = SinkClient.open(test, "events", "p");
            client.offer(1, new byte[] {1});
            test.await(() -> client.granted.contains(1L));
            assertThat(test.broker.drain(Duration.ofNanos(-1))).isFalse();
            client.offer(2, new byte[] {2});
            client.data(1, 0, new byte[] {1});
            test.await(() -> client.stored.size() == 1);

            assertThat(client.raw.errors).containsExactly(ErrorCode.SHUTTING_DOWN);
            test.settle();
            assertThat(test.broker.drain(Duration.ofNanos(-1))).isTrue();
            assertThat(file()).containsExactly(1);
        }
    }

    @Test
    void shouldTakeConfigurationsThatMakeSenseOnly() {
        assertThatThrownBy(() -> SinksConfig.in("", SinkConfig.named("a"))).hasMessageContaining("sinks.directory");
        assertThatThrownBy(() -> SinksConfig.in("d", SinkConfig.named("a"), SinkConfig.named("a")))
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> SinksConfig.none().withMemory(100_000, 1024)).hasMessageContaining("power of two");
        assertThatThrownBy(() -> SinksConfig.none().withMemory(1 << 17, 1 << 18))
                .hasMessageContaining("too large");
        for (final String name : List.of("", "..", ".", "a/b", "/etc/passwd", "a\\b", "x.blocks", "a\nb")) {
            assertThatThrownBy(() -> SinkConfig.named(name)).as(name).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
