package io.penstock.spring.boot.health;

import io.penstock.spring.boot.embedded.EmbeddedBroker;
import java.util.Map;
import java.util.TreeMap;

/** The health of an embedded broker: whether its journals take records. */
final class BrokerHealth {
    /** In groups and in the endpoint. */
    static final String NAME = "penstockBroker";

    private static final String JOURNAL_STATUS = ".journalStatus";

    private final EmbeddedBroker broker;

    BrokerHealth(final EmbeddedBroker broker) {
        this.broker = broker;
    }

    HealthReport report() {
        final Map<String, String> journals = new TreeMap<>();
        broker.broker().counters().forEach((value, id, label) -> {
            if (label.endsWith(JOURNAL_STATUS)) {
                journals.put(label.substring(0, label.length() - JOURNAL_STATUS.length()), textOf(value));
            }
        });
        final HealthReport report = HealthReport.of(journals.values().stream().allMatch(textOf(0)::equals))
                .with(
                        "endpoints",
                        broker.endpoints().stream().map(String::valueOf).toList())
                .with("errors", broker.broker().counter("errors"));
        return journals.isEmpty() ? report : report.with("journals", journals);
    }

    private static String textOf(final long journalStatus) {
        return journalStatus == 0 ? "takes records" : journalStatus == 1 ? "its disk is full" : "its disk has failed";
    }
}
