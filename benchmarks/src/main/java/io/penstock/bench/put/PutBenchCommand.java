package io.penstock.bench.put;

import io.penstock.bench.Peer;
import io.penstock.bench.ScratchDirectory;
import io.penstock.bench.option.Ranges;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.config.ByteCount;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.ProgressLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures the merging of blocks. */
@Command(
        name = "put",
        mixinStandardHelpOptions = true,
        description = {
            "Lets producers deliver blocks to a sink of a broker in a process of its own, and measures how many"
                    + " bytes are stored: up to 8 producers in a process each, more over connections of 8"
                    + " processes.",
            "What it takes to connect and to register memory is measured apart, before anything is delivered."
                    + " Bytes count when they are stored. Each row is printed as soon as it is known."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock bench put                                         # tcp and ipc, 1 to 240 producers, three lengths",
            "  penstock bench put --quick                                 # fewer of all",
            "  penstock bench put --transport ipc --producers 1,60 --block-sizes 8MiB --rounds 5",
            "  penstock bench put --directory /dev/shm                    # without a disk",
            "  penstock bench put --transport tcp,rdma --address 10.0.0.1 # by a device, and beside it"
        })
public final class PutBenchCommand implements Callable<Integer> {
    static final String SINK = "bench";

    private static final int PROCESS_COUNT_MAX = 8;
    private static final int PRODUCER_COUNT_MAX = 1_000;
    private static final String PRODUCERS = "1,8,60,240";
    private static final String LOOPBACK = "127.0.0.1";
    private static final String BLOCK_SIZES = "64KiB,2MiB,8MiB";
    private static final String HEADER =
            "TRANSPORT    BLOCK  PRODUCERS  MB_PER_S  RATIO_TO_1  CONNECT_MS   OPEN_MS  REGISTER_MS  PRODUCER_KIB";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--transport",
            paramLabel = "NAMES",
            defaultValue = "tcp,ipc",
            description = "tcp, ipc and rdma, with commas between them (default: tcp,ipc).")
    private String transports;

    @Option(
            names = "--address",
            paramLabel = "HOST",
            defaultValue = LOOPBACK,
            description = "Where the broker listens for tcp and rdma; for rdma that of a device's network interface"
                    + " (default: " + LOOPBACK + ").")
    private String address;

    @Option(
            names = "--producers",
            paramLabel = "NUMBERS",
            defaultValue = PRODUCERS,
            description = "Producers at once, with commas, each 1 to 1000 (default: " + PRODUCERS + ").")
    private String producers;

    @Option(
            names = "--block-sizes",
            paramLabel = "BYTES",
            defaultValue = BLOCK_SIZES,
            description = "Lengths of blocks, with commas, each 8 to 64MiB (default: " + BLOCK_SIZES + ").")
    private String blockSizes;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            defaultValue = "2",
            description = "Blocks in each producer's memory, 1 to 512 (default: 2).")
    private int blockCount;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "On the disk to measure; a directory is made in it and deleted again (default: this one).")
    private Path directory;

    @Option(
            names = "--sync",
            paramLabel = "POLICY",
            defaultValue = "os",
            description =
                    "When a block counts as stored: os when the system has it, always when the disk has (default: os).")
    private String sync;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "2",
            description = "Measured time of each, 1 to 3600 (default: 2).")
    private int seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "4",
            description = "Seconds before, in which short blocks let code be compiled, 0 to 60 (default: 4).")
    private int warmUpSeconds;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of which the median counts, 1 to 100 (default: 1).")
    private int rounds;

    @Option(names = "--quick", description = "1 and 8 producers, blocks of 2MiB, 1 s.")
    private boolean isQuick;

    @Option(names = "--json", description = "One JSON object a line.")
    private boolean isJson;

    private record Case(String transport, int blockLength, int producerCount) {}

    @Override
    public Integer call() throws IOException {
        Ranges.check("--blocks", blockCount, 1, 512);
        Ranges.check("--seconds", seconds, 1, 3_600);
        Ranges.check("--warm-up", warmUpSeconds, 0, 60);
        Ranges.check("--rounds", rounds, 1, 100);
        if (!List.of("os", "always").contains(sync)) {
            throw CommandFailure.badInput("--sync: no such choice: " + sync + " (use os or always)");
        }
        final Map<Case, List<PutFigures>> results = new LinkedHashMap<>();
        for (final Case each : cases()) {
            results.put(each, new ArrayList<>());
        }
        try (ProgressLine progress = ProgressLine.onErr()) {
            for (int round = 0; round < rounds; round++) {
                for (final Map.Entry<Case, List<PutFigures>> each : results.entrySet()) {
                    progress.draw(each.getKey() + ", round " + (round + 1) + " of " + rounds);
                    each.getValue().add(measure(each.getKey()));
                    if (round == rounds - 1) {
                        progress.clear();
                        print(each.getKey(), results);
                    }
                }
            }
        }
        if (!isJson) {
            final PrintWriter out = spec.commandLine().getOut();
            out.printf(
                    "%d CPUs; connect, open and register: mean of the producers, one after another; producer_kib: all"
                            + " memory for blocks of one%n",
                    Runtime.getRuntime().availableProcessors());
            out.flush();
        }
        return Main.EXIT_OK;
    }

    private List<Case> cases() {
        final List<Case> cases = new ArrayList<>();
        for (final String transport : transports.split(",", -1)) {
            if (!List.of("tcp", "ipc", "rdma").contains(transport)) {
                throw CommandFailure.badInput("--transport: no such choice: " + transport + " (use tcp, ipc or rdma)");
            }
            if (transport.equals("rdma") && address.equals(LOOPBACK)) {
                throw CommandFailure.badInput("--address: belongs to no RDMA device: " + address
                        + " (give that of an interface which" + " 'rdma link' shows)");
            }
            for (final String size : isQuick ? new String[] {"2MiB"} : blockSizes.split(",", -1)) {
                final long length = ByteCount.parse("--block-sizes", size);
                Ranges.check("--block-sizes", length, 8, 64 << 20);
                for (final int count : counts()) {
                    cases.add(new Case(transport, (int) length, count));
                }
            }
        }
        return cases;
    }

    /** The fewest first: what the others are compared with. */
    private Set<Integer> counts() {
        final Set<Integer> counts = new TreeSet<>();
        for (final String text : isQuick ? new String[] {"1", "8"} : producers.split(",", -1)) {
            final long count = ByteCount.parse("--producers", text);
            Ranges.check("--producers", count, 1, PRODUCER_COUNT_MAX);
            counts.add((int) count);
        }
        return counts;
    }

    private PutFigures measure(final Case each) throws IOException {
        try (ScratchDirectory scratch = ScratchDirectory.make("--directory", directory);
                Peer broker = startBroker(each, scratch.path())) {
            final String endpoint = broker.await("listening on ");
            final int processCount = Math.min(PROCESS_COUNT_MAX, each.producerCount());
            final List<Peer> peers = new ArrayList<>();
            try {
                final PutFigures.Sum sum = new PutFigures.Sum();
                for (int i = 0; i < processCount; i++) {
                    final int count = (each.producerCount() + i) / processCount;
                    final Peer peer = Peer.start(List.of(
                            PutProducersCommand.NAME,
                            endpoint,
                            Integer.toString(count),
                            Integer.toString(each.blockLength()),
                            Integer.toString(blockCount),
                            Long.toString(isQuick ? 500 : warmUpSeconds * 1_000L),
                            Long.toString((isQuick ? 1 : seconds) * 1_000L)));
                    peers.add(peer);
                }
                for (final Peer peer : peers) {
                    peer.await(PutProducersCommand.WARM);
                }
                // One after another, so that nobody's set-up is measured against another's.
                for (final Peer peer : peers) {
                    peer.send("connect");
                    sum.addSetUp(peer.await(PutProducersCommand.READY));
                }
                for (final Peer peer : peers) {
                    peer.send("go");
                }
                for (final Peer peer : peers) {
                    sum.addRun(peer.await(PutProducersCommand.DONE));
                }
                return sum.figures(each.producerCount());
            } finally {
                peers.forEach(Peer::close);
            }
        }
    }

    private Peer startBroker(final Case each, final Path scratch) throws IOException {
        final Path config = scratch.resolve("penstock.yaml");
        final String endpoint = each.transport().equals("ipc")
                ? "ipc:bench-put-" + ProcessHandle.current().pid()
                : each.transport() + "://" + address + ":0";
        Files.writeString(
                config,
                String.join(
                        "\n",
                        "listen: [ \"" + endpoint + "\" ]",
                        "security:",
                        "  allowInsecureListen: " + !address.equals(LOOPBACK),
                        "sinks:",
                        "  directory: \"" + scratch.resolve("sinks") + "\"",
                        "  files:",
                        "    - name: " + SINK,
                        "      sync: " + sync,
                        ""));
        return Peer.start(List.of("serve", config.toString(), "--drain=0"));
    }

    /** At once, so that a run that is cut off has said what it knew. */
    private void print(final Case key, final Map<Case, List<PutFigures>> results) {
        final List<PutFigures> runs = results.getOrDefault(key, List.of());
        final PutFigures median = PutFigures.median(runs);
        final List<PutFigures> one = results.get(new Case(key.transport(), key.blockLength(), 1));
        final double ratioToOne = one == null ? Double.NaN : PutFigures.ratio(runs, one);
        final PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.println(new Json()
                    .field("transport", key.transport())
                    .field("block", blockName(key.blockLength()))
                    .field("producers", key.producerCount())
                    .field("mb_per_s", median.mbPerS())
                    .field("ratio_to_1", ratioToOne)
                    .field("connect_ms", median.connectMs())
                    .field("open_ms", median.openMs())
                    .field("register_ms", median.registerMs())
                    .field("producer_kib", median.memoryKib())
                    .end());
        } else {
            if (key.equals(results.keySet().iterator().next())) {
                out.println(HEADER);
            }
            out.printf(
                    Locale.ROOT,
                    "%-9s  %7s  %9d  %8.1f  %10s  %10.2f  %8.2f  %11.2f  %12d%n",
                    key.transport(),
                    blockName(key.blockLength()),
                    key.producerCount(),
                    median.mbPerS(),
                    one == null ? "" : String.format(Locale.ROOT, "%.2f", ratioToOne),
                    median.connectMs(),
                    median.openMs(),
                    median.registerMs(),
                    median.memoryKib());
        }
        out.flush();
    }

    private static String blockName(final int length) {
        return length % (1 << 20) == 0
                ? (length >> 20) + "MiB"
                : length % 1024 == 0 ? (length >> 10) + "KiB" : "" + length;
    }
}
