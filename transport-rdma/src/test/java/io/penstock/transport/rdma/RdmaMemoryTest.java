package io.penstock.transport.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.Connection;
import io.penstock.transport.LentMemory;
import io.penstock.transport.RemoteMemory;
import io.penstock.transport.RequiredFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that one side lends and the other one reads, on a thread that is not the agent's. */
@Timeout(60)
class RdmaMemoryTest {
    private static final RdmaConfig CONFIG = new RdmaConfig(RdmaConfig.AUTO, 4, 256L * 1024 * 1024, 0);
    private static final int LENGTH = 3 * 1024 * 1024 + 17;

    private final FakeFabric fabric = new FakeFabric(3);
    private Party broker;
    private Party producer;
    private Connection lending;
    private Connection pulling;
    private @Nullable Thread agent;

    @BeforeEach
    void connect() throws IOException {
        broker = new Party(fabric, CONFIG, 5000);
        producer = new Party(fabric, CONFIG, 5000);
        lending = producer.transport.connect(broker.listen());
        while (broker.connections.isEmpty()) {
            broker.transport.poll(1);
        }
        pulling = broker.connections.get(0);
    }

    private LentMemory lend(final int length) throws IOException {
        return Objects.requireNonNull(lending.lendMemory(length));
    }

    private RemoteMemory remote(final String key, final long length) throws IOException {
        return Objects.requireNonNull(pulling.remoteMemory(key, length));
    }

    /** From now on an agent that sleeps when it has nothing to do. */
    private void start() {
        final Thread started = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                if (broker.transport.poll(10) == 0) {
                    broker.transport.await(TimeUnit.SECONDS.toNanos(5));
                }
            }
        });
        started.start();
        agent = started;
    }

    @AfterEach
    void close() throws InterruptedException {
        if (agent != null) {
            agent.interrupt();
            broker.transport.wakeup();
            agent.join();
        }
        producer.close();
        broker.close();
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 4096", "4097, 600000", "0, 3145745"})
    void shouldBringWhatIsThereWhenPulled(final int offset, final int length) throws IOException {
        try (LentMemory lent = lend(LENGTH);
                RemoteMemory remote = remote(lent.key(), LENGTH)) {
            final byte[] bytes = new byte[LENGTH];
            new Random(5).nextBytes(bytes);
            lent.buffer().putBytes(0, bytes);
            start();
            final ByteBuffer into = ByteBuffer.allocateDirect(length);

            remote.pull(offset, into);

            assertThat(into.hasRemaining()).isFalse();
            assertThat(new UnsafeBuffer(into, 0, length)).isEqualTo(new UnsafeBuffer(bytes, offset, length));
            assertThat(remote.length()).isEqualTo(LENGTH);
        }
    }

    /** Who lends it fills byte buffers over it. */
    @Test
    void shouldLieInADirectBufferWhenLent() throws IOException {
        try (LentMemory lent = lend(LENGTH)) {
            final ByteBuffer bytes = Objects.requireNonNull(lent.buffer().byteBuffer());
            assertThat(bytes.isDirect()).isTrue();
            assertThat(bytes.capacity()).isEqualTo(LENGTH);
            bytes.put(LENGTH - 1, (byte) 7);
            assertThat(lent.buffer().getByte(LENGTH - 1)).isEqualTo((byte) 7);
            assertThat(lent.key()).startsWith(Long.toHexString(lent.buffer().addressOffset()) + "-");
        }
    }

    @Test
    void shouldSayHowWhenThereIsNoMemoryOutsideTheHeap() throws Exception {
        final Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:MaxDirectMemorySize=1m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ReportMain.class.getName())
                .redirectErrorStream(true)
                .start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output)
                .endsWith("memory: no " + LENGTH + " bytes outside the heap (raise -XX:MaxDirectMemorySize)\n");
    }

    /** Lends memory of which there is not enough, and prints why that fails. */
    static final class ReportMain {
        private ReportMain() {}

        public static void main(final String... arguments) {
            RequiredFlags.check();
            try {
                OwnMemory.make(new MemoryRegistrar(new FakeFabric(1), Long.MAX_VALUE, () -> 0), LENGTH);
                System.out.println("lent");
            } catch (final IOException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void shouldRefuseWhenOneBufferCannotBeAsLong() {
        assertThatThrownBy(() -> lending.lendMemory(Integer.MAX_VALUE))
                .isInstanceOf(IOException.class)
                .hasMessage("memory: too long for one buffer: 2147483647 bytes (use up to 2147479551)");
    }

    @Test
    void shouldRegisterOnceWhenPulledOften() throws IOException {
        try (LentMemory lent = lend(LENGTH);
                RemoteMemory remote = remote(lent.key(), LENGTH)) {
            start();
            final ByteBuffer into = ByteBuffer.allocateDirect(LENGTH);
            remote.pull(0, into);
            final int before = fabric.registrationCount();

            for (int i = 0; i < 200; i++) {
                remote.pull(i, into.clear().limit(100_000));
            }

            assertThat(fabric.registrationCount()).isEqualTo(before);
        }
    }

    @Test
    void shouldFailAndEndThatConnectionWhenThePeerHasNotLentIt() throws IOException {
        try (RemoteMemory remote = remote("1000-77", LENGTH)) {
            start();

            assertThatThrownBy(() -> remote.pull(0, ByteBuffer.allocateDirect(LENGTH)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("has gone, or has not lent as much");
        }
        while (!pulling.isClosed()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldFailWhenTheMemoryIsTakenBack() throws IOException {
        final LentMemory lent = lend(LENGTH);
        try (RemoteMemory remote = remote(lent.key(), LENGTH)) {
            lent.close();
            lent.close();
            start();

            assertThatThrownBy(() -> remote.pull(0, ByteBuffer.allocateDirect(10)))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldFailWhenTheConnectionHasEnded() throws IOException {
        try (LentMemory lent = lend(LENGTH);
                RemoteMemory remote = remote(lent.key(), LENGTH)) {
            lending.close();
            start();

            assertThatThrownBy(() -> {
                        while (true) {
                            remote.pull(0, ByteBuffer.allocateDirect(10));
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "12", "12-", "-12", "xyz-12", "11112222333344445-1", "1-123456789"})
    void shouldRefuseWhenAKeyCannotBe(final String key) {
        assertThatThrownBy(() -> pulling.remoteMemory(key, 10))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not the key of a memory");
    }

    @Test
    void shouldRefuseWhenMoreIsAskedForThanThereIs() throws IOException {
        try (LentMemory lent = lend(100);
                RemoteMemory remote = remote(lent.key(), 100)) {
            assertThatThrownBy(() -> remote.pull(1, ByteBuffer.allocateDirect(100)))
                    .hasMessage("memory of the peer: out of range: 100 bytes at 1 of 100");
            assertThatThrownBy(() -> remote.pull(-1, ByteBuffer.allocateDirect(1)))
                    .hasMessageContaining("out of range");
        }
    }

    @Test
    void shouldLendNothingWhenTheBudgetIsUsedUp() {
        assertThatThrownBy(() -> lending.lendMemory(300 * 1024 * 1024))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the budget is used up");
    }
}
