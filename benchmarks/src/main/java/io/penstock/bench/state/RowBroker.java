package io.penstock.bench.state;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.penstock.bench.embedded.BenchSession;
import io.penstock.bench.embedded.BrokerThreads;
import io.penstock.bench.figure.Pace;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.QuotaConfig;
import io.penstock.broker.StateConfig;
import io.penstock.broker.event.EventHandler;
import io.penstock.broker.security.IdentityQuotas;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.SowRequest;
import io.penstock.client.SowStats;
import io.penstock.client.Topic;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;

/** A broker of this process that has the rows, and a client that queries it. Confined to the main thread. */
final class RowBroker implements RowSource {
    /** The topic of the rows. */
    static final String TOPIC = "rows";

    /** Above what a row takes of memory, with its former version. */
    static final long ROW_LENGTH_MAX = 800;

    private static final String ENDPOINT = "inproc:bench-rows";
    private static final long FIXED_LENGTH = 2L << 30;

    /** Of the columns of a row, at the most. */
    private static final long COLUMNS_LENGTH_MAX = 64;

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final String COUNT = "COUNT(*) AS n";

    private final int rowCount;
    private final ClientConfig clientConfig;
    private final Broker broker;
    private final BrokerThreads threads;
    private final PenstockClient client;

    /**
     * Starts it, without rows.
     *
     * @param rowCount         that it will have.
     * @param queryThreadCount threads that run queries.
     */
    RowBroker(final int rowCount, final int queryThreadCount) {
        this.rowCount = rowCount;
        final long length = rowCount * ROW_LENGTH_MAX + FIXED_LENGTH;
        final BrokerThreads.Before before = BrokerThreads.before();
        broker = Broker.launch(BrokerConfig.builder()
                .listen(ENDPOINT)
                .events(EventHandler.NONE)
                .state(new StateConfig(
                        length,
                        StateConfig.CHUNK_LENGTH_DEFAULT,
                        length,
                        queryThreadCount,
                        (int) TIMEOUT.toMillis(),
                        StateConfig.HISTORY_LENGTH_MAX_DEFAULT,
                        rowCount * COLUMNS_LENGTH_MAX + FIXED_LENGTH,
                        length))
                .quotas(QuotaConfig.defaults().withPerIdentity(IdentityQuotas.UNBOUNDED))
                .build());
        threads = before.started();
        clientConfig = ClientConfig.builder(ENDPOINT).requestTimeout(TIMEOUT).build();
        client = PenstockClient.connect(clientConfig);
        client.declareTopic(Topic.json(TOPIC).key("id"));
    }

    /** Creates another topic with state. */
    void declare(final String topic) {
        client.declareTopic(Topic.json(topic).key("id"));
    }

    /** A connection of its own, confined to the thread that will use it. */
    BenchSession session(final String topic, final BenchSession.DeliveryHandler handler) {
        return BenchSession.connect(clientConfig, topic, handler);
    }

    /** Publishes a version of all rows in the order of a walk, and waits until it is applied. */
    Published publish(final RowDocuments documents, final Walk walk, final long version) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[RowDocuments.LENGTH_MAX]);
        long length = 0;
        final long cpuNs = threads.cpuNs();
        final long startNs = System.nanoTime();
        try (BenchSession session = session(TOPIC, (subscription, buffer, offset, size) -> {})) {
            for (int i = 0; i < rowCount; i++) {
                final int size = documents.write(walk.next(), version, 0L, message);
                session.publish(message, size);
                length += size;
            }
            session.flush();
        }
        return new Published(
                new Pace(rowCount, System.nanoTime() - startNs, Math.max(1, threads.cpuNs() - cpuNs)), length);
    }

    /** CPU time of all threads of the broker. */
    long cpuNs() {
        return threads.cpuNs();
    }

    @Override
    public String name() {
        return "penstock";
    }

    @Override
    public Answer count(final RowQuery query) {
        return measure(rowCount, () -> {
            final SowStats stats =
                    client.sow(SowRequest.topic(TOPIC).filter(query.text()).select(COUNT), message -> {});
            checkSeen(stats);
            return List.of((double) stats.matches());
        });
    }

    @Override
    public Answer counts(final List<RowQuery> queries) {
        return measure((long) rowCount * queries.size(), () -> {
            final List<CompletableFuture<SowStats>> asked = new ArrayList<>();
            for (final RowQuery query : queries) {
                asked.add(client.sowAsync(
                        SowRequest.topic(TOPIC).filter(query.text()).select(COUNT), message -> {}));
            }
            final List<Double> counts = new ArrayList<>();
            for (final CompletableFuture<SowStats> each : asked) {
                final SowStats stats = join(each);
                checkSeen(stats);
                counts.add((double) stats.matches());
            }
            return counts;
        });
    }

    private static SowStats join(final CompletableFuture<SowStats> asked) {
        try {
            return asked.join();
        } catch (final CompletionException e) {
            throw CommandFailure.failed("bench: a query has failed: " + e.getCause());
        }
    }

    @Override
    public Answer groups() {
        return measure(rowCount, () -> {
            final List<Double> groups = new ArrayList<>();
            client.sow(
                    SowRequest.topic(TOPIC)
                            .select("symbol, COUNT(*) AS n, AVG(price) AS mean")
                            .groupBy("symbol"),
                    message -> addGroup(message.bytes(), groups));
            return RowGroups.sorted(groups);
        });
    }

    private static void addGroup(final byte[] json, final List<Double> groups) {
        try (JsonParser parser = FACTORY.createParser(json)) {
            parser.nextToken();
            while (parser.nextFieldName() != null) {
                groups.add(parser.nextToken().isNumeric() ? parser.getDoubleValue() : RowGroups.code(parser.getText()));
            }
        } catch (final IOException e) {
            throw new IllegalStateException("bench: not JSON", e);
        }
    }

    @Override
    public Answer top(final int limit) {
        return measure(rowCount, () -> {
            final List<Double> prices = new ArrayList<>();
            client.sow(
                    SowRequest.topic(TOPIC).orderBy("price DESC").top(limit),
                    message -> prices.add(price(message.bytes())));
            return prices;
        });
    }

    private static double price(final byte[] json) {
        try (JsonParser parser = FACTORY.createParser(json)) {
            parser.nextToken();
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                if (parser.nextToken().isNumeric() && name.equals("price")) {
                    return parser.getDoubleValue();
                }
            }
        } catch (final IOException e) {
            throw new IllegalStateException("bench: not JSON", e);
        }
        throw new IllegalStateException("bench: a record without a price");
    }

    private void checkSeen(final SowStats stats) {
        if (stats.topicMatches() != rowCount) {
            throw CommandFailure.failed(
                    "bench: a query has looked at " + stats.topicMatches() + " rows, not " + rowCount);
        }
    }

    /** With the CPU time of the threads that run queries. */
    private Answer measure(final long count, final Supplier<List<Double>> query) {
        final long cpuNs = threads.queryCpuNs();
        final long startNs = System.nanoTime();
        final List<Double> values = query.get();
        final long wallNs = System.nanoTime() - startNs;
        return new Answer(values, new Pace(count, wallNs, Math.max(1, threads.queryCpuNs() - cpuNs)));
    }

    @Override
    public void close() {
        client.close();
        final long errors = broker.counter("errors");
        broker.close();
        if (errors > 0) {
            broker.printErrors(System.err);
            throw CommandFailure.failed("bench: the broker has counted errors: " + errors);
        }
    }

    /**
     * What was published.
     *
     * @param pace   of it, with the CPU time of the broker's threads.
     * @param length of all messages, in bytes.
     */
    record Published(Pace pace, long length) {}
}
