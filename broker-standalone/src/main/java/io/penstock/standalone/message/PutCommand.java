package io.penstock.standalone.message;

import io.penstock.client.BlockWriter;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.SinkOptions;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.config.ByteCount;
import io.penstock.standalone.console.ControlCharacters;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.ProgressLine;
import io.penstock.standalone.console.WorkShare;
import io.penstock.standalone.input.StandardInput;
import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Delivers files to a sink. */
@Command(
        name = "put",
        mixinStandardHelpOptions = true,
        description = {
            "Delivers files, or standard input, to a sink: a file of the broker that blocks of many producers are"
                    + " merged into.",
            "Each file is cut into blocks; the blocks of a file keep their order, and blocks of other producers"
                    + " may come between them. A block is in the sink as a whole or not at all, and once, also"
                    + " when the connection is lost and found again within --timeout seconds. Over ipc the broker"
                    + " pulls blocks out of this process's memory.",
            "",
            "Sinks need a directory of the broker: penstock serve --set sinks.directory=DIR --sink events"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all blocks are stored",
            "1:some are not; what is, is said",
            "2:the command line or a file it names is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock put events run-*.dat                        # files, one after another",
            "  penstock put events run-*.dat --producers 8          # eight files at a time, each over a connection",
            "  produce | penstock put events - --block-size 8MiB    # what a pipe brings",
            "  penstock put events big.dat --broker ipc:main --json # on the broker's machine; a summary for programs"
        })
public final class PutCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";
    private static final int PRODUCER_COUNT_MAX = 1_000;
    private static final long JOIN_MS = 100;

    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Parameters(index = "0", paramLabel = "SINK", description = "Sink to deliver to.")
    private String sink;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "FILE",
            description = "Files to read, or - for standard input.")
    private List<String> files;

    @Option(
            names = "--block-size",
            paramLabel = "BYTES",
            defaultValue = "2MiB",
            description = "Length of a block, the last one of a file may be shorter; 1 to 1GiB and no more than the"
                    + " broker takes (default: 2MiB).")
    private String blockSize;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            defaultValue = "4",
            description = "Blocks that each producer has in memory at most, 1 to 512 (default: 4).")
    private int blockCount;

    @Option(
            names = "--producers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Files that are read at a time, each by a thread with a connection, 1 to 1000 (default: 1).")
    private int producerCount;

    @Option(names = "--json", description = "Print the summary as one JSON object.")
    private boolean isJson;

    @Override
    public Integer call() throws InterruptedException {
        if (producerCount < 1 || producerCount > PRODUCER_COUNT_MAX) {
            throw CommandFailure.badInput(
                    "--producers: out of range: " + producerCount + " (use 1 to " + PRODUCER_COUNT_MAX + ")");
        }
        final SinkOptions options = options();
        for (final String file : files) {
            if (!file.equals(STANDARD_INPUT) && !Files.isReadable(Path.of(file))) {
                throw CommandFailure.badInput(file + ": cannot be read (give readable files, or - for standard input)");
            }
        }
        if (files.stream().filter(STANDARD_INPUT::equals).count() > 1) {
            throw CommandFailure.badInput("-: standard input can be read once (name it once)");
        }
        if (files.contains(STANDARD_INPUT)) {
            StandardInput.open();
        }
        final PutWork work = new PutWork(files);
        final List<PutProducer> producers = new ArrayList<>();
        final long startNs = System.nanoTime();
        try {
            for (int i = 0; i < Math.min(producerCount, files.size()); i++) {
                producers.add(open(i, options, work));
            }
            producers.forEach(PutProducer::start);
            await(producers, startNs, new WorkShare(total()));
        } finally {
            producers.forEach(PutProducer::close);
        }
        return summarise(producers, work, (System.nanoTime() - startNs) / 1e9);
    }

    private SinkOptions options() {
        final long length = ByteCount.parse("--block-size", blockSize);
        try {
            return SinkOptions.of((int) Math.min(Integer.MAX_VALUE, length), blockCount);
        } catch (final IllegalArgumentException e) {
            throw CommandFailure.badInput("--block-size, --blocks: " + e.getMessage());
        }
    }

    private PutProducer open(final int index, final SinkOptions options, final PutWork work) {
        final String name = broker.name();
        final PenstockClient client = BrokerOptions.connect(broker.config()
                .name(name.isEmpty() || producerCount == 1 ? name : name + "-" + index)
                .reconnect(broker.timeout())
                .closeTimeout(broker.timeout())
                .build());
        boolean isOpen = false;
        try {
            final BlockWriter writer = client.openSink(sink, options);
            isOpen = true;
            return new PutProducer(index, client, writer, work, broker.timeout());
        } catch (final PenstockException e) {
            throw CommandFailure.failed(String.valueOf(e.getMessage()));
        } finally {
            if (!isOpen) {
                client.close();
            }
        }
    }

    /** Bytes of all files; 0 when one of them is not of a known length. */
    private long total() {
        long total = 0;
        for (final String file : files) {
            final long length = file.equals(STANDARD_INPUT) ? 0 : new File(file).length();
            if (length == 0) {
                return 0;
            }
            total += length;
        }
        return total;
    }

    private static void await(final List<PutProducer> producers, final long startNs, final WorkShare share)
            throws InterruptedException {
        try (ProgressLine progress = ProgressLine.onErr()) {
            for (final PutProducer producer : producers) {
                while (!producer.join(JOIN_MS)) {
                    if (progress.isDue()) {
                        final long length = sum(producers);
                        progress.draw(String.format(
                                "stored %,d MB, %,.0f MB/s%s",
                                length / 1_000_000, length * 1e3 / (System.nanoTime() - startNs), share.text(length)));
                    }
                }
            }
        }
    }

    private static long sum(final List<PutProducer> producers) {
        return producers.stream()
                .mapToLong(each -> each.writer().storedLength())
                .sum();
    }

    private int summarise(final List<PutProducer> producers, final PutWork work, final double seconds) {
        final long length = sum(producers);
        final long blocks = producers.stream()
                .mapToLong(each -> each.writer().storedCount())
                .sum();
        final long resent = producers.stream()
                .mapToLong(each -> each.writer().resentCount())
                .sum();
        final long memory = producers.stream()
                .mapToLong(each -> each.writer().memoryLength())
                .sum();
        final PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.println(new Json()
                    .field("sink", sink)
                    .field("files", work.doneCount())
                    .field("blocks", blocks)
                    .field("bytes", length)
                    .field("seconds", seconds)
                    .field("mb_per_s", length / 1e6 / seconds)
                    .field("resent", resent)
                    .field("producers", producers.size())
                    .field("memory", memory)
                    .end());
        } else {
            out.printf(
                    "stored %,d blocks, %,d bytes of %d file%s in %s: %.2f s, %,.0f MB/s%s; %,d KiB of memory for"
                            + " blocks%n",
                    blocks,
                    length,
                    work.doneCount(),
                    work.doneCount() == 1 ? "" : "s",
                    sink,
                    seconds,
                    length / 1e6 / seconds,
                    resent == 0 ? "" : String.format(", %,d offered again", resent),
                    memory >> 10);
        }
        out.flush();
        final List<String> failures = work.failures();
        if (!failures.isEmpty()) {
            final PrintWriter err = spec.commandLine().getErr();
            failures.forEach(each -> err.println(ControlCharacters.onErr("penstock put: " + each)));
            err.flush();
        }
        return failures.isEmpty() ? Main.EXIT_OK : Main.EXIT_FAILED;
    }
}
