package io.penstock.bench;

import io.penstock.standalone.console.Json;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The results of one round.
 *
 * @param messages              published in the measured time.
 * @param messagesPerS          of them.
 * @param deliveriesPerS        to all subscribers.
 * @param brokerCpuUsPerMessage CPU time of the broker's process.
 * @param allocatedBytesPerMessage on the broker's heap; NaN when unknown.
 * @param copiesPerMessage      bytes the broker copied, by bytes of payload; NaN when unknown.
 * @param p50Us                 latency, intended send to delivery, in microseconds; so are the ones below.
 * @param p99Us                 99 %.
 * @param p999Us                99.9 %.
 * @param p9999Us               99.99 %.
 * @param maxUs                 the slowest.
 * @param slowest5PercentMeanUs mean of the slowest twentieth.
 * @param cacheLineBeforeNs     round trip of a cache line between two CPUs before the round; NaN when unknown.
 * @param cacheLineAfterNs      and after it.
 */
record RoundResult(
        double messages,
        double messagesPerS,
        double deliveriesPerS,
        double brokerCpuUsPerMessage,
        double allocatedBytesPerMessage,
        double copiesPerMessage,
        double p50Us,
        double p99Us,
        double p999Us,
        double p9999Us,
        double maxUs,
        double slowest5PercentMeanUs,
        double cacheLineBeforeNs,
        double cacheLineAfterNs) {
    private static final double SLOWEST_PART = 0.05;

    static RoundResult of(
            final double messages,
            final double deliveries,
            final double seconds,
            final Subject.Usage usage,
            final double payloadLength,
            final Histogram latencyNs,
            final double cacheLineBeforeNs,
            final double cacheLineAfterNs) {
        return new RoundResult(
                messages,
                messages / seconds,
                deliveries / seconds,
                usage.cpuNs() / 1e3 / messages,
                usage.allocatedBytes() / messages,
                usage.copiedBytes() / (messages * payloadLength),
                us(latencyNs, 50),
                us(latencyNs, 99),
                us(latencyNs, 99.9),
                us(latencyNs, 99.99),
                us(latencyNs, 100),
                slowestMeanNs(latencyNs) / 1e3,
                cacheLineBeforeNs,
                cacheLineAfterNs);
    }

    /** Takes the median of every figure by itself. */
    static RoundResult median(final List<RoundResult> rounds) {
        return new RoundResult(
                median(rounds, RoundResult::messages),
                median(rounds, RoundResult::messagesPerS),
                median(rounds, RoundResult::deliveriesPerS),
                median(rounds, RoundResult::brokerCpuUsPerMessage),
                median(rounds, RoundResult::allocatedBytesPerMessage),
                median(rounds, RoundResult::copiesPerMessage),
                median(rounds, RoundResult::p50Us),
                median(rounds, RoundResult::p99Us),
                median(rounds, RoundResult::p999Us),
                median(rounds, RoundResult::p9999Us),
                median(rounds, RoundResult::maxUs),
                median(rounds, RoundResult::slowest5PercentMeanUs),
                median(rounds, RoundResult::cacheLineBeforeNs),
                median(rounds, RoundResult::cacheLineAfterNs));
    }

    Json addTo(final Json json) {
        return json.field("messages", (long) messages)
                .field("msgs_per_s", messagesPerS)
                .field("deliveries_per_s", deliveriesPerS)
                .field("broker_cpu_us_per_msg", brokerCpuUsPerMessage)
                .field("broker_allocated_bytes_per_msg", allocatedBytesPerMessage)
                .field("copies_per_msg", copiesPerMessage)
                .field("p50_us", p50Us)
                .field("p99_us", p99Us)
                .field("p999_us", p999Us)
                .field("p9999_us", p9999Us)
                .field("max_us", maxUs)
                .field("slowest5pct_mean_us", slowest5PercentMeanUs)
                .field("cacheline_ns_before", cacheLineBeforeNs)
                .field("cacheline_ns_after", cacheLineAfterNs);
    }

    private static double us(final Histogram histogram, final double percentile) {
        return histogram.getTotalCount() == 0 ? Double.NaN : histogram.getValueAtPercentile(percentile) / 1e3;
    }

    /** Mean of the slowest twentieth; a value that it cuts through counts with the part that belongs to it. */
    static double slowestMeanNs(final Histogram histogram) {
        final double slowest = histogram.getTotalCount() * SLOWEST_PART;
        final double faster = histogram.getTotalCount() - slowest;
        double seen = 0;
        double sum = 0;
        for (final HistogramIterationValue value : histogram.recordedValues()) {
            final double count = value.getCountAtValueIteratedTo();
            final double counted = Math.min(count, Math.max(0, seen + count - faster));
            sum += counted * histogram.medianEquivalentValue(value.getValueIteratedTo());
            seen += count;
        }
        return sum / slowest;
    }

    private static double median(final List<RoundResult> rounds, final ToDoubleFunction<RoundResult> figure) {
        final List<Double> values = rounds.stream()
                .map(figure::applyAsDouble)
                .sorted(Comparator.naturalOrder())
                .toList();
        final int middle = values.size() / 2;
        return values.size() % 2 == 1 ? values.get(middle) : (values.get(middle - 1) + values.get(middle)) / 2;
    }
}
