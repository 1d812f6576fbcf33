package io.penstock.bench.put;

import io.penstock.client.Block;
import io.penstock.client.BlockWriter;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.SinkOptions;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The process that {@link PutBenchCommand} starts: connects producers one after another, prints how long that took, and
 * delivers blocks on command.
 */
@Command(name = PutProducersCommand.NAME, hidden = true, description = "Delivers blocks for bench put.")
public final class PutProducersCommand implements Callable<Integer> {
    static final String NAME = "bench-put-producers";
    static final String WARM = "warm";
    static final String READY = "ready ";
    static final String DONE = "done ";

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** Over a slow medium, one of hundreds waits long for its turn. */
    private static final Duration TURN_TIMEOUT = Duration.ofMinutes(5);

    private static final int WARM_UP_LENGTH = 4 * 1024;

    /** From the first block of the measured producers to the time that is measured. */
    private static final long RAMP_MS = 500;

    private final AtomicBoolean isEnding = new AtomicBoolean();
    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
    private final List<PenstockClient> clients = new ArrayList<>();
    private final List<BlockWriter> writers = new ArrayList<>();

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "ENDPOINT", description = "Of the broker.")
    private String endpoint;

    @Parameters(index = "1", paramLabel = "COUNT", description = "Of producers.")
    private int count;

    @Parameters(index = "2", paramLabel = "BYTES", description = "Of a block.")
    private int blockLength;

    @Parameters(index = "3", paramLabel = "BLOCKS", description = "Of a producer.")
    private int blockCount;

    @Parameters(index = "4", paramLabel = "MS", description = "Before anything is measured.")
    private long warmUpMs;

    @Parameters(index = "5", paramLabel = "MS", description = "That are measured.")
    private long ms;

    @Override
    public Integer call() throws IOException, InterruptedException {
        final PrintWriter out = spec.commandLine().getOut();
        final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        warmUp();
        out.println(WARM);
        out.flush();
        if (in.readLine() == null) {
            return Main.EXIT_FAILED;
        }
        out.println(READY + connect());
        out.flush();
        if (in.readLine() == null) {
            return Main.EXIT_FAILED;
        }
        out.println(DONE + run());
        out.flush();
        in.readLine();
        return Main.EXIT_OK;
    }

    /** Lets the code be compiled here and in the broker, by blocks that take little of the memory that is to be written. */
    private void warmUp() {
        final int length = Math.min(blockLength, WARM_UP_LENGTH);
        try (PenstockClient client = PenstockClient.connect(config());
                BlockWriter writer = client.openSink(PutBenchCommand.SINK, SinkOptions.of(blockLength, blockCount))) {
            final long startNs = System.nanoTime();
            do {
                final Block block = writer.claim(TURN_TIMEOUT);
                block.submit(length);
            } while (System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(warmUpMs));
            writer.flush(TURN_TIMEOUT);
        }
    }

    private ClientConfig config() {
        return ClientConfig.builder(endpoint)
                // Many of them start at once.
                .connectTimeout(TIMEOUT)
                .requestTimeout(TIMEOUT)
                .closeTimeout(TIMEOUT)
                .build();
    }

    /** Nanoseconds to connect and log on, to open the sink, and, of that, to register memory; bytes of memory. */
    private String connect() {
        long connectNs = 0;
        long openNs = 0;
        long registerNs = 0;
        long memory = 0;
        for (int i = 0; i < count; i++) {
            final long startNs = System.nanoTime();
            final PenstockClient client = PenstockClient.connect(config());
            clients.add(client);
            final long connectedNs = System.nanoTime();
            final BlockWriter writer = client.openSink(PutBenchCommand.SINK, SinkOptions.of(blockLength, blockCount));
            writers.add(writer);
            openNs += System.nanoTime() - connectedNs;
            connectNs += connectedNs - startNs;
            registerNs += writer.registrationTime().toNanos();
            memory += writer.memoryLength();
        }
        return connectNs + " " + openNs + " " + registerNs + " " + memory;
    }

    /** Bytes that were stored in the measured time, the time in ns, and the CPU time of this process in ns. */
    private String run() throws InterruptedException {
        final List<Thread> threads = new ArrayList<>();
        for (final BlockWriter writer : writers) {
            final Thread thread = new Thread(() -> produce(writer), "producer");
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        Thread.sleep(RAMP_MS);
        final long startNs = System.nanoTime();
        final long startLength = stored();
        Thread.sleep(ms);
        final long length = stored() - startLength;
        final long tookNs = System.nanoTime() - startNs;
        isEnding.set(true);
        for (final Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw CommandFailure.failed(
                    "bench put: a producer failed: " + failure.get().getMessage());
        }
        writers.forEach(BlockWriter::close);
        clients.forEach(PenstockClient::close);
        return length + " " + tookNs;
    }

    private long stored() {
        return writers.stream().mapToLong(BlockWriter::storedLength).sum();
    }

    private void produce(final BlockWriter writer) {
        try {
            for (long number = 1; !isEnding.get(); number++) {
                final Block block = writer.claim(TURN_TIMEOUT);
                block.buffer().putLong(0, number);
                block.submit(blockLength);
            }
            writer.flush(TURN_TIMEOUT);
        } catch (final PenstockException e) {
            failure.compareAndSet(null, e);
        }
    }
}
