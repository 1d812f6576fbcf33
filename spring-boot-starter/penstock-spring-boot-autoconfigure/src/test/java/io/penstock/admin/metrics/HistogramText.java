package io.penstock.admin.metrics;

import io.penstock.broker.Broker;
import io.penstock.broker.metric.BrokerMetrics;

/** The histograms of a broker, as the admin server writes them; here without the server, which needs a Netty of its own. */
public final class HistogramText {
    private HistogramText() {}

    /** The text of OpenMetrics that the admin server gives for the histograms now. */
    public static String of(final Broker broker) {
        final OpenMetrics metrics = new OpenMetrics();
        BrokerMetrics.times(broker.histograms()).forEach(metrics::add);
        return metrics.text();
    }
}
