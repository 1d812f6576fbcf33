package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.broker.agent.ThreadPlacement;
import io.penstock.nativeaccess.CpuAffinity;
import io.penstock.nativeaccess.NativeLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where the kernel says that the broker's threads run. */
@Timeout(60)
class CpuPinningTest {
    private static final Path TASKS = Path.of("/proc/self/task");

    /** The kernel keeps as much of a thread's name. */
    private static final int NAME_LENGTH = 15;

    private static final int QUERY_AGENT_COUNT = StateConfig.defaults().queryAgentCount();

    @TempDir
    private Path folder;

    private List<Integer> cpus = List.of();
    private Set<Path> tasksBefore = Set.of();

    @BeforeEach
    void findCpus() throws IOException {
        assumeTrue(NativeLibrary.get().isAvailable(), () -> NativeLibrary.get().report());
        final List<Integer> available = new CpuAffinity(NativeLibrary.get().access()).available();
        cpus = available.subList(0, Math.min(2, available.size()));
        tasksBefore = tasks();
    }

    @Test
    void shouldPinEveryThreadWhenEachAgentHasOne() throws Exception {
        final BrokerConfig config = builder(ThreadingMode.DEDICATED)
                .journal(JournalConfig.in(folder.toString()))
                .cpus(cpus)
                .build();
        try (Broker broker = Broker.launch(config)) {
            final List<String> roles = new ArrayList<>(List.of("sequencer-0", "io-0", "journaler", "replayer"));
            roles.addAll(queryAgents());
            roles.addAll(List.of("file-replayer", "historian", "keeper"));

            assertThat(broker.placements().stream()
                            .collect(Collectors.toMap(ThreadPlacement::role, ThreadPlacement::cpu)))
                    .isEqualTo(dealt(roles));
            for (final ThreadPlacement placement : broker.placements()) {
                assertThat(allowed(placement.threadId())).as(placement.role()).isEqualTo("" + placement.cpu());
                assertThat(counter(broker, placement.role() + ".cpu")).isEqualTo(placement.cpu());
            }
            assertThat(brokersThreads().keySet().stream().map(CpuPinningTest::name))
                    .containsExactlyInAnyOrderElementsOf(roles.stream()
                            .map("penstock-"::concat)
                            .map(name -> name.substring(0, Math.min(NAME_LENGTH, name.length())))
                            .toList());
            assertThat(brokersThreads().values())
                    .hasSameElementsAs(cpus.stream().map(String::valueOf).toList());
        }
    }

    @Test
    void shouldPinTheOneThreadAndItsHelpersWhenShared() throws Exception {
        try (Broker broker =
                Broker.launch(builder(ThreadingMode.SHARED).cpus(cpus).build())) {
            final List<String> roles = new ArrayList<>(List.of("broker"));
            roles.addAll(queryAgents());

            assertThat(broker.placements().stream().map(ThreadPlacement::role)).containsExactlyElementsOf(roles);
            assertThat(allowed(broker.placements().get(0).threadId())).isEqualTo("" + cpus.get(0));
        }
    }

    @Test
    void shouldLeaveThreadsToTheKernelWhenNoCpusAreNamed() throws Exception {
        final String own = allowed(NativeLibrary.get().access().threadId());
        try (Broker broker = Broker.launch(builder(ThreadingMode.DEDICATED).build())) {
            assertThat(broker.placements()).isEmpty();
            Map<String, String> threads = brokersThreads();
            while (threads.isEmpty()) {
                // They name themselves.
                threads = brokersThreads();
            }
            assertThat(threads.values()).containsOnly(own);
        }
    }

    @Test
    void shouldRefuseWhenACpuIsNotAvailable() throws Exception {
        assertThatThrownBy(() -> Broker.launch(
                        builder(ThreadingMode.DEDICATED).cpus(List.of(8000)).build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("cpus: not available to this process: 8000 (use some of [");
        Broker.launch(builder(ThreadingMode.DEDICATED).build()).close();
    }

    @Test
    void shouldRefuseWhenThreadsThatSpinWouldShareACpu() {
        assertThatThrownBy(() -> Broker.launch(builder(ThreadingMode.DEDICATED)
                        .idle(IdleMode.BUSY)
                        .cpus(cpus)
                        .build()))
                .hasMessage("cpus: fewer than threads that spin: " + cpus.size() + " (give 3, or use idle BLOCKING)");
        Broker.launch(builder(ThreadingMode.SHARED)
                        .idle(IdleMode.BUSY)
                        .cpus(cpus.subList(0, 1))
                        .build())
                .close();
    }

    @Test
    void shouldRefuseWhenCpusMakeNoSense() {
        assertThatThrownBy(() -> builder(ThreadingMode.INVOKER).cpus(cpus).build())
                .hasMessageStartingWith("cpus: threading INVOKER has no threads to pin");
        assertThatThrownBy(() ->
                        builder(ThreadingMode.DEDICATED).cpus(List.of(1, 0, 1)).build())
                .hasMessage("cpus: named twice: 1 (name each once)");
        assertThatThrownBy(
                        () -> builder(ThreadingMode.DEDICATED).cpus(List.of(-1)).build())
                .hasMessage("cpus: too small: -1 (use 0 to 8191)");
    }

    private static BrokerConfig.Builder builder(final ThreadingMode threading) {
        return BrokerConfig.builder().listen("inproc:pinning").threading(threading);
    }

    private static List<String> queryAgents() {
        return IntStream.range(0, QUERY_AGENT_COUNT).mapToObj(i -> "query-" + i).toList();
    }

    private Map<String, Integer> dealt(final List<String> roles) {
        final Map<String, Integer> dealt = new TreeMap<>();
        for (int i = 0; i < roles.size(); i++) {
            dealt.put(roles.get(i), cpus.get(i % cpus.size()));
        }
        return dealt;
    }

    /** Threads of this test's broker, by name and number, and what the kernel's table says of them. */
    private Map<String, String> brokersThreads() throws IOException {
        final Map<String, String> threads = new TreeMap<>();
        for (final Path task : tasks()) {
            if (!tasksBefore.contains(task)) {
                final String status = statusOf(task);
                final String name = line(status, "Name:");
                // The one that writes to loggers is no agent's.
                if (name.startsWith("penstock-") && !name.equals("penstock-events")) {
                    threads.put(name + " " + task.getFileName(), line(status, "Cpus_allowed_list:"));
                }
            }
        }
        return threads;
    }

    /** Empty when the thread has ended meanwhile, as those of the compiler do. */
    private static String statusOf(final Path task) {
        try {
            return Files.readString(task.resolve("status"));
        } catch (final IOException e) {
            return "Name: ended\n";
        }
    }

    private static Set<Path> tasks() throws IOException {
        try (var tasks = Files.list(TASKS)) {
            return tasks.collect(Collectors.toSet());
        }
    }

    private static String name(final String thread) {
        return thread.substring(0, thread.lastIndexOf(' '));
    }

    private static String allowed(final int threadId) throws IOException {
        return line(Files.readString(TASKS.resolve("" + threadId).resolve("status")), "Cpus_allowed_list:");
    }

    private static String line(final String status, final String key) {
        return status.lines()
                .filter(each -> each.startsWith(key))
                .map(each -> each.substring(key.length()).strip())
                .findFirst()
                .orElseThrow();
    }

    private static long counter(final Broker broker, final String label) {
        final long[] found = {-1};
        broker.counters().forEach((value, id, each) -> {
            if (each.equals(label)) {
                found[0] = value;
            }
        });
        return found[0];
    }
}
