package io.penstock.bench.journal;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.IdleMode;
import io.penstock.broker.ThreadingMode;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Rounds in which a subscriber gets all messages of a log from its files, in turn with a plain loop that reads the same
 * files. The files are in the page cache. Confined to one thread.
 */
final class ReplayRounds {
    /** Rounds that only warm up: files are in the page cache then, and the code is compiled. */
    private static final int WARM_UP_ROUNDS = 2;

    private final BrokerConfig config;
    private final String topic;
    private final Path files;
    private final long messageCount;
    private final int rounds;
    private final double[] perS;
    private final double[] rawPerS;
    private final double[] readerNs;
    private final double[] brokerNs;
    private final double[] subscriberNs;
    private final double[] rawNs;
    private final double[] allocated;
    private final double[] ratios;

    /**
     * Prepares rounds.
     *
     * @param config       of the broker that has the log.
     * @param topic        of the messages.
     * @param files        directory of the log's files.
     * @param messageCount of the log.
     * @param rounds       that count.
     */
    ReplayRounds(
            final BrokerConfig config,
            final String topic,
            final Path files,
            final long messageCount,
            final int rounds) {
        this.config = config;
        this.topic = topic;
        this.files = files;
        this.messageCount = messageCount;
        this.rounds = rounds;
        perS = new double[rounds];
        rawPerS = new double[rounds];
        readerNs = new double[rounds];
        brokerNs = new double[rounds];
        subscriberNs = new double[rounds];
        rawNs = new double[rounds];
        allocated = new double[rounds];
        ratios = new double[rounds];
    }

    /** Runs them and adds what came out. */
    void run(final Json json) throws IOException {
        final boolean isDriven = config.threading() == ThreadingMode.INVOKER;
        try (Broker broker = Broker.launch(config);
                ReplaySubscriber subscriber = new ReplaySubscriber(
                        broker.endpoints().get(0).toString(),
                        isDriven ? broker : null,
                        config.idle() == IdleMode.BUSY);
                RawReplay raw = new RawReplay(files)) {
            for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
                measure(Math.max(0, round), subscriber, raw);
            }
        }
        final double perSMedian = median(perS);
        final double readerNsMedian = median(readerNs);
        json.field("messages_per_s", perSMedian)
                .field("messages_per_s_min", perS[0])
                .field("messages_per_s_max", perS[rounds - 1])
                .field("subscriber_cpu_ns_per_msg", median(subscriberNs));
        if (!isDriven) {
            json.field("replayer_cpu_ns_per_msg", readerNsMedian)
                    .field("broker_cpu_ns_per_msg", median(brokerNs))
                    .field("messages_per_replayer_cpu_s", 1e9 / readerNsMedian);
        }
        json.field("allocated_bytes_per_msg", median(allocated))
                .field("raw_messages_per_s", median(rawPerS))
                .field("raw_cpu_ns_per_msg", median(rawNs))
                .field("ratio_to_raw_median", median(ratios))
                .field("ratio_to_raw_min", ratios[0])
                .field("ratio_to_raw_max", ratios[rounds - 1]);
    }

    private void measure(final int round, final ReplaySubscriber subscriber, final RawReplay raw) throws IOException {
        final ThreadUse before = ThreadUse.now();
        final long startNs = System.nanoTime();
        subscriber.run(topic, messageCount);
        final long tookNs = System.nanoTime() - startNs;
        final ThreadUse used = ThreadUse.now().since(before);
        perS[round] = messageCount * 1e9 / tookNs;
        readerNs[round] = used.readerNs() / messageCount;
        brokerNs[round] = used.brokerNs() / messageCount;
        subscriberNs[round] = used.ownNs() / messageCount;
        allocated[round] = used.allocated() / messageCount;
        final ThreadUse beforeRaw = ThreadUse.now();
        final long rawStartNs = System.nanoTime();
        final long rawCount = raw.run();
        final long rawTookNs = System.nanoTime() - rawStartNs;
        rawNs[round] = ThreadUse.now().since(beforeRaw).ownNs() / messageCount;
        rawPerS[round] = messageCount * 1e9 / rawTookNs;
        ratios[round] = perS[round] / rawPerS[round];
        if (rawCount != messageCount) {
            throw CommandFailure.failed(
                    "penstock: the files have " + rawCount + " messages, and " + messageCount + " were published");
        }
    }

    /** The median; the values are in order then. */
    static double median(final double[] values) {
        Arrays.sort(values);
        return (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
    }
}
