package io.penstock.bench.journal;

import io.penstock.bench.ScratchDirectory;
import io.penstock.bench.option.Ranges;
import io.penstock.bench.option.ResultOptions;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.IdleMode;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.StateConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.journal.SyncPolicy;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.input.MessagesASecond;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what makes messages last. */
@Command(
        name = "journal",
        mixinStandardHelpOptions = true,
        description = {
            "Publishes to a broker of this process at an even pace, and measures how long it takes until each"
                    + " message is acknowledged as persisted; in turn with bare writes of 4 KiB and syncs of the"
                    + " same disk.",
            "",
            "With --recover a log of so many messages is written, and the time is measured in which a broker"
                    + " starts from it. With --replay it is read by a subscriber, from files in the page cache."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock bench journal                    # 2000 messages a second, in process, busy",
            "  penstock bench journal --transport tcp --idle blocking",
            "  penstock bench journal --recover 10000000 # messages of 100 bytes without state",
            "  penstock bench journal --recover 10000000 --keys 1000000 --shards 2",
            "  penstock bench journal --replay 10000000 --threading invoker"
        })
public final class JournalBenchCommand implements Callable<Integer> {
    private static final String TOPIC = "journal";
    private static final double WARM_UP_S = 2;
    private static final int PAYLOAD_LENGTH_MIN = 40;
    private static final int MESSAGE_COUNT_MAX = 1_000_000_000;
    private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "On the disk to measure; a directory is made in it and deleted again (default: this one).")
    private Path directory;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            defaultValue = "2000/s",
            converter = MessagesASecond.class,
            description = "Messages a second, 1/s to 1000000/s (default: 2000/s).")
    private double messagesASecond;

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            defaultValue = "100",
            description = "Length of each message, 40 to 65536 (default: 100).")
    private int payloadLength;

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            defaultValue = "inproc",
            description = "tcp, ipc or inproc (default: inproc).")
    private String transport;

    @Option(
            names = "--idle",
            paramLabel = "MODE",
            defaultValue = "busy",
            description = "Broker and client without work: blocking, back_off or busy (default: busy).")
    private IdleMode idle;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Pairs of rounds, 1 to 100 (default: 5).")
    private int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Measured time of a round, 1 to 3600 (default: 3).")
    private int seconds;

    @Option(names = "--recover", paramLabel = "N", description = "Start from a log of N messages.")
    private @Nullable Integer recover;

    @Option(names = "--replay", paramLabel = "N", description = "Deliver a log of N messages to a subscriber.")
    private @Nullable Integer replay;

    @Option(
            names = "--threading",
            paramLabel = "MODE",
            defaultValue = "shared",
            description = "With --replay: shared, dedicated, or invoker for one thread in all (default: shared).")
    private ThreadingMode threading;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "0",
            description = "With --recover: JSON messages of N keys, to a topic that keeps the last of each.")
    private int keyCount;

    @Option(
            names = "--shards",
            paramLabel = "N",
            defaultValue = "1",
            description = "With --recover: a topic in each of N shards, 1 to 64 (default: 1).")
    private int shardCount;

    @Mixin
    private ResultOptions result;

    @Override
    public Integer call() throws IOException {
        Ranges.check("--rate", rate(), 1, 1_000_000);
        Ranges.check("--payload", payloadLength, PAYLOAD_LENGTH_MIN, 65_536);
        Ranges.check("--rounds", rounds, 1, 100);
        Ranges.check("--seconds", seconds, 1, 3_600);
        Ranges.check("--keys", keyCount, 0, MESSAGE_COUNT_MAX);
        Ranges.check("--shards", shardCount, 1, 64);
        if (shardCount > 1 && recover == null) {
            throw CommandFailure.badInput("--shards: goes with --recover (give that too, or leave this out)");
        }
        if (!List.of("tcp", "ipc", "inproc").contains(transport)) {
            throw CommandFailure.badInput("--transport: no such choice: " + transport + " (use tcp, ipc or inproc)");
        }
        final Json json = new Json()
                .field("java", Runtime.version().toString())
                .field("cpus", Runtime.getRuntime().availableProcessors())
                .field("payload", payloadLength);
        try (ScratchDirectory scratch = ScratchDirectory.make("--directory", directory)) {
            if (replay != null) {
                Ranges.check("--replay", replay, 1, MESSAGE_COUNT_MAX);
                measureReplay(scratch.path(), replay, json);
            } else if (recover != null) {
                Ranges.check("--recover", recover, 1, MESSAGE_COUNT_MAX);
                measureRecovery(scratch.path(), recover, json);
            } else {
                measureLatency(scratch.path(), json);
            }
        }
        final String object = json.end();
        result.print(spec, object);
        return Main.EXIT_OK;
    }

    private void measureLatency(final Path scratch, final Json json) throws IOException {
        if (keyCount > 0) {
            throw CommandFailure.badInput("--keys: goes with --recover (give that too, or leave this out)");
        }
        final UnsafeBuffer message = new UnsafeBuffer(new byte[payloadLength]);
        final Histogram ours = Latencies.histogram();
        final Histogram raw = Latencies.histogram();
        final Histogram rawDirect = Latencies.histogram();
        final double[] sequential = new double[rounds];
        final double[] sequentialDirect = new double[rounds];
        final double[] ratios = new double[rounds];
        try (Broker broker =
                        Broker.launch(config(scratch, SyncPolicy.ALWAYS, idle).build());
                PersistedPublisher publisher =
                        new PersistedPublisher(broker.endpoints().get(0).toString(), idle == IdleMode.BUSY, topics());
                RawDisk disk = new RawDisk(scratch, false);
                RawDisk direct = new RawDisk(scratch, true)) {
            publisher.run(message, rate(), WARM_UP_S);
            disk.run(rate(), WARM_UP_S / 2);
            for (int round = 0; round < rounds; round++) {
                final Histogram measured = publisher.run(message, rate(), seconds);
                final Histogram beside = disk.run(rate(), seconds);
                ratios[round] = Latencies.p50Us(measured) / Latencies.p50Us(beside);
                ours.add(measured);
                raw.add(beside);
                rawDirect.add(direct.run(rate(), seconds));
                sequential[round] = disk.runSequential(1);
                sequentialDirect[round] = direct.runSequential(1);
            }
        }
        final double ratio = ReplayRounds.median(ratios);
        json.field("transport", transport)
                .field("idle", idle.name().toLowerCase(Locale.ROOT))
                .field("rate", rate())
                .field("rounds", rounds)
                .object("persisted", Latencies.json(ours))
                .object("raw_write_and_sync", Latencies.json(raw))
                .object("raw_direct_write_and_sync", Latencies.json(rawDirect))
                .field("raw_mib_per_s", ReplayRounds.median(sequential))
                .field("raw_direct_mib_per_s", ReplayRounds.median(sequentialDirect))
                .field("p50_ratio_median", ratio)
                .field("p50_ratio_min", ratios[0])
                .field("p50_ratio_max", ratios[rounds - 1]);
    }

    private void measureRecovery(final Path scratch, final int count, final Json json) throws IOException {
        final double wroteS = writeLog(scratch, count);
        final boolean cold = dropCaches();
        final double[] startedS = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            final long startNs = System.nanoTime();
            try (Broker broker = Broker.launch(
                    config(scratch, SyncPolicy.OS, IdleMode.BLOCKING).build())) {
                startedS[round] = (System.nanoTime() - startNs) / 1e9;
                if (broker.counter("lastSequence") < count) {
                    throw CommandFailure.failed(
                            "penstock: the log has lost messages: it ends at " + broker.counter("lastSequence"));
                }
            }
            if (cold) {
                dropCaches();
            }
        }
        final double medianS = ReplayRounds.median(startedS);
        json.field("messages", count)
                .field("keys", keyCount)
                .field("shards", shardCount)
                .field("rounds", rounds)
                .field("cache", cold ? "cold" : "warm (only root may make it cold)")
                .field("write_s", wroteS)
                .field("start_s", medianS)
                .field("start_min_s", startedS[0])
                .field("start_max_s", startedS[rounds - 1])
                .field("messages_per_s", count / medianS);
    }

    private void measureReplay(final Path scratch, final int count, final Json json) throws IOException {
        if (keyCount > 0 || recover != null) {
            throw CommandFailure.badInput("--replay: goes with neither --recover nor --keys (leave those out)");
        }
        final double wroteS = writeLog(scratch, count);
        json.field("messages", count)
                .field("transport", transport)
                .field("threading", threading.name().toLowerCase(Locale.ROOT))
                .field("idle", idle.name().toLowerCase(Locale.ROOT))
                .field("rounds", rounds)
                .field("write_s", wroteS);
        new ReplayRounds(
                        config(scratch, SyncPolicy.OS, idle)
                                .threading(threading)
                                .build(),
                        TOPIC,
                        scratch.resolve("log").resolve("shard-0"),
                        count,
                        rounds)
                .run(json);
    }

    /** Returns the seconds it took. */
    private double writeLog(final Path scratch, final int count) {
        final long startNs = System.nanoTime();
        try (Broker broker = Broker.launch(
                        config(scratch, SyncPolicy.OS, IdleMode.BLOCKING).build());
                PersistedPublisher publisher =
                        new PersistedPublisher(broker.endpoints().get(0).toString(), false, topics())) {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[payloadLength]);
            message.setMemory(0, payloadLength, (byte) ' ');
            for (int i = 0; i < count; i++) {
                final int key = keyCount > 0 ? key(i) : i;
                publisher.publish(key % shardCount, message, write(message, i, key), 0);
            }
            publisher.awaitPersisted();
        }
        return (System.nanoTime() - startNs) / 1e9;
    }

    /** The key of a number: spread, so that no cache foresees the next one. */
    private int key(final int number) {
        return (int) ((number * 2_654_435_761L & Integer.MAX_VALUE) % keyCount);
    }

    /** Writes the message of a number. Returns its length. */
    private int write(final UnsafeBuffer message, final int number, final int key) {
        if (keyCount > 0) {
            final String head = "{\"id\":" + key + ",\"n\":" + number + ",\"text\":\"";
            final int length = message.putStringWithoutLengthAscii(0, head);
            message.setMemory(length, payloadLength - length, (byte) 'x');
            message.putStringWithoutLengthAscii(payloadLength - 2, "\"}");
        }
        return payloadLength;
    }

    private String endpoint() {
        return transport.equals("tcp") ? "tcp://127.0.0.1:0" : transport + ":bench-journal";
    }

    /** One for each shard. */
    private List<String> topics() {
        return IntStream.range(0, shardCount)
                .mapToObj(shard -> shardCount == 1 ? TOPIC : TOPIC + "-" + shard)
                .toList();
    }

    private BrokerConfig.Builder config(final Path scratch, final SyncPolicy policy, final IdleMode mode) {
        final BrokerConfig.Builder builder = BrokerConfig.builder()
                .listen(endpoint())
                .shardCount(shardCount)
                .idle(mode)
                .state(new StateConfig(
                        16L << 30,
                        StateConfig.CHUNK_LENGTH_DEFAULT,
                        StateConfig.VERSION_LENGTH_MAX_DEFAULT,
                        0,
                        StateConfig.QUERY_TIMEOUT_MS_DEFAULT,
                        StateConfig.HISTORY_LENGTH_MAX_DEFAULT))
                .journal(JournalConfig.in(scratch.resolve("log").toString())
                        .withSync(policy)
                        // The benchmark measures the start from the log alone.
                        .withSnapshots(0, 0));
        final List<String> topics = topics();
        for (int shard = 0; shard < shardCount; shard++) {
            final String topic = topics.get(shard);
            builder.topic(
                    keyCount > 0
                            ? new TopicConfig(topic, false, "json", shard, "id", 0)
                            : new TopicConfig(topic, false, "binary", shard));
        }
        return builder;
    }

    private static boolean dropCaches() {
        if (!Files.isWritable(DROP_CACHES)) {
            return false;
        }
        try {
            new ProcessBuilder("sync").start().waitFor();
            Files.write(DROP_CACHES, "1\n".getBytes(StandardCharsets.US_ASCII));
            return true;
        } catch (final IOException e) {
            return false;
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private int rate() {
        return (int) Math.round(messagesASecond);
    }
}
