package io.penstock.system.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.SowRequest;
import io.penstock.client.Subscription;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Generated rows and queries of them, answered by the broker, SQLite and DuckDB. The broker answers each query twice, by columns and, of
 * topics that are too small for columns, by reading rows and bringing two topics together. Each condition is also a filter of
 * a subscription. What has to be written in another way for databases is said at {@link Sql}. {@code -Dpenstock.seeds} runs
 * more seeds, {@code -Dpenstock.seed} is the first one, {@code -Dpenstock.queries} how many queries each has.
 */
@Tag("one-jdk")
class DatabaseAgreementTest {
    private static final int QUERY_COUNT = Integer.getInteger("penstock.queries", 2_000);
    private static final int BATCH_COUNT = 100;

    /** Enough for columns; half as many are not. */
    private static final int ROW_COUNT = 4_200;

    /** Rows that are published to subscriptions. */
    private static final int LIVE_COUNT = 200;

    private static final int REPORTED_MAX = 5;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String ALL = "rows";
    private static final String LIVE = "live";
    private static final String PARTS = "part/[01]";

    /** After it a subscription has had all. */
    private static final String LAST = "{\"id\":-1}";

    private final List<String> disagreements = new ArrayList<>();

    /** Answers with something in them. */
    private int answeredCount;

    @Test
    void shouldAgreeWithDatabasesOnGeneratedQueries() throws Exception {
        final long first = Long.getLong("penstock.seed", 1);
        for (long seed = first; seed < first + Integer.getInteger("penstock.seeds", 1); seed++) {
            run(seed);
            assertThat(disagreements).as("seed %s", seed).isEmpty();
            assertThat(answeredCount).as("seed %s", seed).isGreaterThan(QUERY_COUNT / 2);
        }
    }

    private void run(final long seed) throws SQLException, InterruptedException {
        final Random random = new Random(seed);
        answeredCount = 0;
        final List<SqlRow> rows = new ArrayList<>();
        for (int id = 0; id < ROW_COUNT; id++) {
            rows.add(SqlRow.random(id, random));
        }
        final BrokerConfig config = BrokerConfig.builder()
                .listen("inproc:agreement-" + seed)
                .shardCount(2)
                .topic(TopicConfig.keyed(ALL, "json", "id"))
                .topic(TopicConfig.keyed("part/0", "json", "id"))
                .topic(TopicConfig.keyed("part/1", "json", "id"))
                .topic(TopicConfig.topic(LIVE, "json"))
                .build();
        try (Broker broker = Broker.launch(config);
                PenstockClient client = PenstockClient.connect(
                        ClientConfig.builder(broker.endpoints().get(0).toString())
                                .requestTimeout(LONG)
                                .build());
                SqlDatabase sqlite = SqlDatabase.sqlite();
                SqlDatabase duck = SqlDatabase.duck()) {
            sqlite.insert(rows);
            duck.insert(rows);
            for (final SqlRow row : rows) {
                client.publish(ALL, row.json());
                client.publish("part/" + row.id() % 2, row.json());
            }
            client.flush(LONG);
            final SqlQueries queries = new SqlQueries(random);
            for (int i = 0; i < QUERY_COUNT && disagreements.size() < REPORTED_MAX; i += BATCH_COUNT) {
                final List<SqlQuery> batch = new ArrayList<>();
                for (int j = 0; j < BATCH_COUNT; j++) {
                    batch.add(queries.next());
                }
                // DuckDB plans longer than it works, so it has a thread of its own.
                final CompletableFuture<List<SqlAnswer>> ducks = CompletableFuture.supplyAsync(
                        () -> batch.stream().map(duck::ask).toList());
                final List<SqlAnswer> expected = new ArrayList<>();
                for (final SqlQuery query : batch) {
                    expected.add(ask(client, sqlite, query));
                }
                for (int j = 0; j < BATCH_COUNT; j++) {
                    compare("DuckDB", ducks.join().get(j), expected.get(j), batch.get(j));
                }
                subscribe(client, sqlite, batch, rows.subList(0, LIVE_COUNT));
            }
            assertThat(client.sow(SowRequest.topic(ALL)
                                    .filter("i > 5 AND t LIKE 'a%'")
                                    .explain())
                            .stats()
                            .explanation())
                    .contains("i > 5: column", "t LIKE 'a%': column");
            assertThat(client.sow(SowRequest.pattern(PARTS).filter("i > 5").explain())
                            .stats()
                            .explanation())
                    .doesNotContain(": column");
        }
    }

    /** Compares the broker's answers with that of SQLite, which is returned. */
    private SqlAnswer ask(final PenstockClient client, final SqlDatabase sqlite, final SqlQuery query) {
        final SqlAnswer expected = sqlite.ask(query);
        answeredCount += expected.rows().isEmpty() ? 0 : 1;
        compare("columns", answer(client, SowRequest.topic(ALL), query), expected, query);
        compare("rows", answer(client, SowRequest.pattern(PARTS), query), expected, query);
        return expected;
    }

    private static SqlAnswer answer(final PenstockClient client, final SowRequest of, final SqlQuery query) {
        return SqlAnswer.of(client.sow(query.request(of)).texts(), query);
    }

    private void compare(final String who, final SqlAnswer answer, final SqlAnswer expected, final SqlQuery query) {
        if (!answer.isLike(expected) && disagreements.size() < REPORTED_MAX) {
            disagreements.add(who + " and SQLite differ: " + answer.differenceTo(expected) + "\n  " + query.sql()
                    + "\n  " + query.request(SowRequest.topic(ALL)));
        }
    }

    /** Each subscription gets the rows that its filter matches, and then the last message. */
    private void subscribe(
            final PenstockClient client,
            final SqlDatabase sqlite,
            final List<SqlQuery> queries,
            final List<SqlRow> rows)
            throws InterruptedException {
        final List<BitSet> found = new ArrayList<>();
        final List<Subscription> subscriptions = new ArrayList<>();
        final CountDownLatch open = new CountDownLatch(queries.size());
        for (final SqlQuery query : queries) {
            final BitSet ids = new BitSet();
            found.add(ids);
            subscriptions.add(client.subscribe(LIVE, "(" + query.condition().ours() + ") OR id = -1", message -> {
                final String text = message.text();
                if (text.equals(LAST)) {
                    open.countDown();
                } else {
                    ids.set(idOf(text));
                }
            }));
        }
        for (final SqlRow row : rows) {
            client.publish(LIVE, row.json());
        }
        client.publish(LIVE, LAST);
        assertThat(open.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        subscriptions.forEach(Subscription::close);
        for (int i = 0; i < queries.size(); i++) {
            final Sql condition = queries.get(i).condition();
            final BitSet expected = sqlite.ids(condition, rows.size());
            if (!found.get(i).equals(expected)) {
                final BitSet differences = (BitSet) found.get(i).clone();
                differences.xor(expected);
                disagreements.add("a subscription and SQLite differ at " + differences + ":\n  " + condition.ours()
                        + "\n  " + condition.theirs());
            }
        }
    }

    private static int idOf(final String text) {
        final int comma = text.indexOf(',');
        return Integer.parseInt(text.substring("{\"id\":".length(), comma < 0 ? text.length() - 1 : comma));
    }
}
