package io.penstock.bench.state;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.QuotaConfig;
import io.penstock.broker.StateConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.security.IdentityQuotas;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.SowRequest;
import io.penstock.client.SowResult;
import io.penstock.client.Topic;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.ProgressLine;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A broker in this process whose rows are updated at an even pace and queried meanwhile. Owned by the main thread. */
final class LoadedRun {
    private static final String ENDPOINT = "inproc:bench-state";
    private static final String TOPIC = "rows";
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long VERSIONS_LENGTH = 2L << 30;
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final RowUpdates updates;
    private final double updatesPerS;
    private final int seconds;
    private final BrokerConfig config;
    private final boolean isJournaled;
    private final DutyCycles cycles = new DutyCycles();

    /**
     * @param journal directory for a journal, which the broker writes its state to all the time; empty for none.
     */
    LoadedRun(
            final int rowCount,
            final int updatesPerS,
            final int seconds,
            final String threading,
            final String journal) {
        updates = new RowUpdates(rowCount);
        this.updatesPerS = updatesPerS;
        this.seconds = seconds;
        final BrokerConfig.Builder builder = BrokerConfig.builder()
                .listen(ENDPOINT)
                .agentWrapper(cycles::wrap)
                .quotas(QuotaConfig.defaults().withPerIdentity(IdentityQuotas.UNBOUNDED))
                .state(new StateConfig(
                                rowCount * StoredRows.ROW_LENGTH_MAX + VERSIONS_LENGTH,
                                StateConfig.CHUNK_LENGTH_DEFAULT,
                                VERSIONS_LENGTH,
                                0,
                                (int) TIMEOUT.toMillis(),
                                StateConfig.HISTORY_LENGTH_MAX_DEFAULT)
                        .withLiveLengthMax(rowCount * StoredRows.ROW_LENGTH_MAX + VERSIONS_LENGTH));
        if (!threading.isEmpty()) {
            builder.threading(ThreadingMode.valueOf(threading));
        }
        if (!journal.isEmpty()) {
            builder.journal(JournalConfig.in(journal).withSnapshots(0, 1));
        }
        isJournaled = !journal.isEmpty();
        config = builder.build();
    }

    /** Measures, and adds what was measured. Fails at the first answer that is wrong. */
    void run(final Json json) throws InterruptedException {
        final ClientConfig clientConfig =
                ClientConfig.builder(ENDPOINT).requestTimeout(TIMEOUT).build();
        final UpdatePublisher publisher = new UpdatePublisher(clientConfig, TOPIC, updates, updatesPerS);
        final Thread thread = new Thread(publisher, "bench-publisher");
        thread.setDaemon(true);
        try (ProgressLine progress = ProgressLine.onErr();
                Broker broker = Broker.launch(config);
                PenstockClient client = PenstockClient.connect(clientConfig)) {
            client.declareTopic(Topic.json(TOPIC).key("id"));
            final long startNs = System.nanoTime();
            thread.start();
            final long firstSequence = load(publisher, client, progress);
            json.field("load_rows_per_s", updates.rowCount() * 1e9 / (System.nanoTime() - startNs));
            final CheckedQueries queries = new CheckedQueries(client, TOPIC, updates, firstSequence);
            publisher.update();
            query(publisher, queries, WARM_UP_NS, progress);
            publisher.takeLateNsMax();
            final long updatedBefore = publisher.updated();
            final long measuredNs = System.nanoTime();
            final long snapshotsBefore = broker.counter("snapshots");
            cycles.on(true);
            query(publisher, queries, TimeUnit.SECONDS.toNanos(seconds), progress);
            cycles.on(false);
            if (isJournaled) {
                json.field("snapshots", broker.counter("snapshots") - snapshotsBefore);
            }
            json.field("updates_per_s", (publisher.updated() - updatedBefore) * 1e9 / (System.nanoTime() - measuredNs))
                    .field("update_late_ms_max", publisher.takeLateNsMax() / 1e6);
            publisher.stop();
            thread.join();
            awaitLast(publisher, queries);
            json.field("updates", publisher.updated())
                    .field("checked_values", queries.checked())
                    .object("query_ms_median", queries.json());
            final long errors = broker.counter("errors");
            if (errors > 0) {
                throw CommandFailure.failed("bench: the broker has counted errors: " + errors);
            }
        } finally {
            publisher.stop();
        }
        json.object("duty_cycle_cpu", cycles.json());
        json.object("empty_loop_cpu", cycles.ofEmptyLoop().json());
    }

    /** Waits until all rows are there, and returns the sequence of that. */
    private long load(final UpdatePublisher publisher, final PenstockClient client, final ProgressLine progress) {
        while (publisher.loaded() < updates.rowCount()) {
            failOn(publisher);
            progress.draw(String.format("loading: %,d of %,d rows", publisher.loaded(), updates.rowCount()));
            LockSupport.parkNanos(STEP_NS);
        }
        SowResult answer = count(client);
        while (answer.stats().matches() < updates.rowCount()) {
            failOn(publisher);
            LockSupport.parkNanos(STEP_NS);
            answer = count(client);
        }
        return answer.stats().sequenceByShard().values().iterator().next();
    }

    private static SowResult count(final PenstockClient client) {
        return client.sow(SowRequest.topic(TOPIC).select("COUNT(*)"));
    }

    private void query(
            final UpdatePublisher publisher,
            final CheckedQueries queries,
            final long durationNs,
            final ProgressLine progress) {
        final long endNs = System.nanoTime() + durationNs;
        do {
            failOn(publisher);
            progress.draw(String.format(
                    "querying: %,d updates, %,d values checked, %.0f s to go",
                    publisher.updated(), queries.checked(), Math.max(0, endNs - System.nanoTime()) / 1e9));
            queries.round();
        } while (System.nanoTime() - endNs < 0);
    }

    /** The last answers have to show every update, or one was lost. */
    private static void awaitLast(final UpdatePublisher publisher, final CheckedQueries queries) {
        final long endNs = System.nanoTime() + TIMEOUT.toNanos();
        do {
            failOn(publisher);
            queries.round();
        } while (queries.updatesAtLast() < publisher.updated() && System.nanoTime() - endNs < 0);
        if (queries.updatesAtLast() != publisher.updated()) {
            throw CommandFailure.failed(
                    "bench: " + queries.updatesAtLast() + " updates were applied, not " + publisher.updated());
        }
    }

    private static void failOn(final UpdatePublisher publisher) {
        final String failure = publisher.failure();
        if (failure != null) {
            throw CommandFailure.failed("bench: the publisher has failed: " + failure);
        }
    }
}
