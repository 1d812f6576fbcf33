package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StorageProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts of journaled brokers with two shards: what they leave behind when they fail, and how shards are read. */
@Timeout(60)
class FailedStartTest {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");
    private static final int SHARD_COUNT = 2;
    private static final int COMPARISON_COUNT = 3;

    @TempDir
    Path directory;

    private Set<Thread> others = Set.of();

    /** Makes the logs, and lets everything be loaded that stays. */
    @BeforeEach
    void startOnce() {
        Broker.launch(config(ThreadingMode.DEDICATED, "inproc:failed-start")).close();
        // What others have left may end meanwhile.
        others = Set.copyOf(Thread.getAllStackTraces().keySet());
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldLeaveNothingOpenWhenAnEndpointIsTaken(final ThreadingMode threading) throws IOException {
        try (Broker other = Broker.launch(BrokerConfig.builder()
                .listen("inproc:taken")
                .threading(ThreadingMode.INVOKER)
                .build())) {
            assertThat(other.endpoints()).hasSize(1);
            assertFails(config(threading, "inproc:failed-start", "inproc:taken"), UncheckedIOException.class);
        }
        assertStarts();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sequencer-1", "io-0", "query-0", "keeper", "journaler"})
    void shouldLeaveNothingOpenWhenAThreadCannotBeStarted(final String role) throws IOException {
        final UnaryOperator<Agent> wrapper = agent -> {
            if (agent.roleName().equals(role)) {
                throw new IllegalStateException("no thread for " + role);
            }
            return agent;
        };
        assertFails(
                builder(ThreadingMode.DEDICATED, "inproc:failed-start")
                        .agentWrapper(wrapper)
                        .build(),
                IllegalStateException.class);
        assertStarts();
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldLeaveNothingOpenWhenTheSecondShardIsDamaged(final ThreadingMode threading) throws IOException {
        final Path file = logFile(1);
        final byte[] good = Files.readAllBytes(file);
        final byte[] bad = good.clone();
        bad[4096 + 3] ^= 1;
        Files.write(file, bad);

        assertThat(assertFails(config(threading, "inproc:failed-start"), UncheckedIOException.class))
                .hasMessageContaining(file.toString());

        Files.write(file, good);
        assertStarts();
    }

    @Test
    void shouldLeaveNothingOpenWhenTopicsAreNotAsInTheLog() throws IOException {
        assertFails(
                builder(ThreadingMode.SHARED, "inproc:failed-start")
                        .topic(TopicConfig.topic("a", "binary"))
                        .build(),
                IllegalArgumentException.class);
        assertStarts();
    }

    @Test
    void shouldReadShardsSideBySide() {
        final CyclicBarrier both = new CyclicBarrier(SHARD_COUNT);
        Broker.launch(builder(ThreadingMode.DEDICATED, "inproc:failed-start")
                        .storage(path -> meeting(both, StorageProvider.DISK.open(path)))
                        .build())
                .close();
        assertThat(both.isBroken()).isFalse();
    }

    /** A storage in whose directories nothing is listed before all shards have come to that. */
    private static Storage meeting(final CyclicBarrier all, final Storage target) {
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, args) -> {
                    if (method.getName().equals("list") && isRecovery()) {
                        await(all);
                    }
                    try {
                        final Object result = method.invoke(target, args);
                        return result instanceof Storage storage ? meeting(all, storage) : result;
                    } catch (final InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static boolean isRecovery() {
        return Arrays.stream(Thread.currentThread().getStackTrace())
                .anyMatch(frame -> frame.getClassName().endsWith(".ShardRecovery"));
    }

    private static void await(final CyclicBarrier all) throws IOException {
        try {
            all.await(20, TimeUnit.SECONDS);
        } catch (final InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IOException("the other shard is not read meanwhile", e);
        }
    }

    private Throwable assertFails(final BrokerConfig config, final Class<? extends Throwable> type) throws IOException {
        final Throwable[] thrown = new Throwable[1];
        final List<Long> keptLengths = new ArrayList<>();
        // A collection that comes just then spoils a comparison, and not all of them.
        for (int i = 0; i < COMPARISON_COUNT; i++) {
            final long left = leftToTheCollector(config.threading());
            final long before = directMemoryLength();
            assertThatThrownBy(() -> Broker.launch(config)).isInstanceOf(type).satisfies(e -> thrown[0] = e);
            keptLengths.add(directMemoryLength() - before - left);
            assertThat(threads()).isEmpty();
            assertThat(openFiles(config.journal().directory())).isEmpty();
        }
        assertThat(keptLengths).anyMatch(length -> length <= 0);
        return thrown[0];
    }

    /** Memory that a broker of a kind does not give back itself when it is closed, in bytes. */
    private long leftToTheCollector(final ThreadingMode threading) {
        final long before = directMemoryLength();
        Broker.launch(builder(threading, "inproc:failed-start-left")
                        .journal(JournalConfig.in(directory.resolve("left").toString())
                                .withFileLength(64 * 1024))
                        .build())
                .close();
        return directMemoryLength() - before;
    }

    private void assertStarts() throws IOException {
        final Broker broker = Broker.launch(config(ThreadingMode.SHARED, "inproc:failed-start"));
        assertThat(broker.counter("errors")).isZero();
        broker.close();
        assertThat(openFiles(directory.toString())).isEmpty();
    }

    private BrokerConfig config(final ThreadingMode threading, final String... endpoints) {
        return builder(threading, endpoints).build();
    }

    private BrokerConfig.Builder builder(final ThreadingMode threading, final String... endpoints) {
        final BrokerConfig.Builder builder = BrokerConfig.builder()
                .threading(threading)
                .shardCount(SHARD_COUNT)
                .window(new WindowConfig(64 * 1024, 4))
                .sessions(TestBroker.sessions(1024, 16 * 1024))
                .topic(new TopicConfig("a", false, "json", 0))
                .topic(new TopicConfig("b", false, "json", 1))
                .journal(JournalConfig.in(directory.toString()).withFileLength(64 * 1024));
        for (final String endpoint : endpoints) {
            builder.listen(endpoint);
        }
        return builder;
    }

    private Path logFile(final int shard) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("shard-" + shard))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** What reads ahead comes to the end of its file by itself, soon. */
    private List<String> threads() {
        final Collection<Thread> present = Thread.getAllStackTraces().keySet();
        for (final Thread thread : present) {
            if (thread.getName().equals("penstock-prefetch")) {
                try {
                    thread.join(TimeUnit.SECONDS.toMillis(20));
                } catch (final InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
        return present.stream()
                .filter(thread -> thread.isAlive() && !others.contains(thread))
                .map(Thread::getName)
                .filter(name -> name.startsWith("penstock-"))
                .toList();
    }

    private static List<String> openFiles(final String directory) throws IOException {
        try (Stream<Path> files = Files.list(OPEN_FILES)) {
            return files.map(FailedStartTest::target)
                    .filter(target -> target.startsWith(directory))
                    .toList();
        }
    }

    /** Empty when it was closed meanwhile. */
    private static String target(final Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (final IOException e) {
            return "";
        }
    }

    private static long directMemoryLength() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
