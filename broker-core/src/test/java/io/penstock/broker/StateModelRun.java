package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.BrokerError;
import io.penstock.client.RecordKind;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One seed: a broker, some clients, and what they do, compared with the model after each operation. */
final class StateModelRun implements AutoCloseable {
    private static final int OPERATION_COUNT = 100;
    private static final int TRACE_COUNT = 25;
    private static final int CLIENT_COUNT_MAX = 4;

    /** Of so many seeds one has a topic that queries have columns of, and so many filters that there is an index. */
    private static final int LARGE_EVERY = 40;

    private static final int ROW_COUNT = 4200;
    private static final int FILTER_COUNT = 20;
    private static final List<String> COUNTERS = List.of(
            "turnsToCursor",
            "turnsToLive",
            "fellBehind",
            "resyncs",
            "stateExpired",
            "stateRefused",
            "stateDeleted",
            "deliveriesRefused",
            "appendsRefused",
            "columnLength");
    private final Random random;
    private final Map<String, Long> histogram;
    private final Deque<String> trace = new ArrayDeque<>();
    private final StateModel model;
    private final int shardCount;
    private final TestBroker broker;
    private final ModelPublishing publishing;
    private final ModelClient publisher;
    private final List<ModelClient> clients = new ArrayList<>();
    private final boolean tight;

    /** Whether former versions are kept for few changes only. */
    private final boolean forgetful;

    private final boolean viewing;
    private final @Nullable ModelWitness witness;
    private final @Nullable StateClient others;
    private long nextId = 1;
    private int expiredCount;

    StateModelRun(final long seed, final Map<String, Long> histogram) {
        random = new Random(seed);
        this.histogram = histogram;
        shardCount = random.nextBoolean() ? 1 : 3;
        tight = random.nextInt(3) == 0;
        forgetful = tight || random.nextInt(4) == 0;
        viewing = random.nextInt(3) == 0;
        model = new StateModel(shardCount);
        if (viewing) {
            model.views.addAll(ModelView.random(model.topics, random));
        }
        broker = new TestBroker(this::configure);
        publishing = new ModelPublishing(broker, model, random);
        publisher = publishing.publisher;
        others = !tight && seed % LARGE_EVERY == 0 ? makeLarge() : null;
        broker.settle();
        for (int shard = 0; shard < shardCount; shard++) {
            model.sequence(shard, lastSequence(shard));
        }
        if (viewing) {
            witness = new ModelWitness(broker);
            model.witness(witness);
        } else {
            witness = null;
        }
        clients.add(new ModelClient(broker));
        clients.add(new ModelClient(broker));
    }

    /** The rows stay when their records are deleted. The filters are about records that the model never makes. */
    private StateClient makeLarge() {
        for (int i = 0; i < ROW_COUNT; i++) {
            publisher.publish("one", "{\"k\":\"row" + i + "\",\"p\":" + i + "}");
        }
        publisher.flush();
        assertThat(publisher.delete("one", "TRUE")).isEqualTo(ROW_COUNT);
        final StateClient client = new StateClient(broker);
        for (int i = 1; i <= FILTER_COUNT; i++) {
            client.subscribe(i, SubscribeRequest.topic("one").filter("p > " + (ROW_COUNT + i)));
            client.subscribe(
                    FILTER_COUNT + i,
                    SubscribeRequest.topic("one")
                            .filter("t = 'x" + i + "'")
                            .sow()
                            .oof());
        }
        count("large topics");
        return client;
    }

    private BrokerConfig.Builder configure(final BrokerConfig.Builder builder) {
        BrokerConfig.Builder made = builder.shardCount(shardCount)
                .window(new WindowConfig((16 * 1024) << random.nextInt(3), 3 + random.nextInt(2)))
                .sessions(new SessionConfig(
                        64, 64, 7 * 1024, 64, 64, 512 << random.nextInt(3), 64, 1 << 24, 3_600_000, 3_600_000))
                .state(
                        tight
                                ? new StateConfig(
                                        (1 << 20) + random.nextInt(1 << 20), 128 << 10, 64 << 10, 1, 60_000, 1 << 20)
                                : new StateConfig(
                                        1 << 26,
                                        128 << 10,
                                        forgetful ? 64 << 10 : 1 << 24,
                                        1 + random.nextInt(2),
                                        60_000,
                                        1 << 20));
        for (final ModelTopic topic : model.topics) {
            made = made.topic(topic.config());
        }
        for (final ModelView view : model.views) {
            made = made.view(view.viewConfig());
        }
        return made;
    }

    void run() {
        try {
            operateAll();
        } catch (final ModelWitness.Lost ignored) {
            count("witnesses lost");
        }
        tally();
        assertNothingLeaked();
    }

    private void operateAll() {
        for (int i = 0; i < OPERATION_COUNT; i++) {
            operate();
            verify();
        }
        clients.forEach(client -> client.paused = false);
        broker.settle();
        // Conflated changes come with time, and more of them while records expire.
        int before;
        do {
            before = expiredCount;
            advance(3 * ModelInterest.CONFLATION_MS);
        } while (expiredCount > before);
        verify();
        for (final ModelClient client : clients) {
            client.subscriptions.values().forEach(each -> each.checkPicture(model.sequence(each.interest().topic)));
            assertThat(client.queries.values()).allMatch(query -> query.ended);
        }
    }

    private void operate() {
        final int choice = random.nextInt(100);
        if (choice < 34) {
            trace("publish " + publishing.some(topic(), 1 + random.nextInt(8), random.nextInt(100)));
        } else if (choice < 42) {
            trace("flood " + flood(topic()));
        } else if (choice < 48) {
            deleteByKeys();
        } else if (choice < 51) {
            deleteByFilter();
        } else if (choice < 58) {
            final int ms = 5 * (1 + random.nextInt(random.nextInt(10) == 0 ? 60 : 10));
            trace("advance " + ms);
            advance(ms);
        } else if (choice < 71) {
            query();
        } else if (choice < 72) {
            if (random.nextBoolean()) {
                declare();
            } else {
                crowd();
            }
        } else if (choice < 78) {
            subscribe();
        } else if (choice < 80) {
            subscribePattern();
        } else if (choice < 83) {
            replace();
        } else if (choice < 86) {
            unsubscribe();
        } else if (choice < 93) {
            pause();
        } else if (choice < 96) {
            refuse();
        } else {
            connect();
        }
    }

    private String flood(final ModelTopic topic) {
        return publishing.some(
                topic, 20 + random.nextInt(50), 2000 + random.nextInt(ModelPublishing.PAD_LENGTH_MAX - 2000));
    }

    private void declare() {
        if (model.topics.size() > 6) {
            return;
        }
        final String name = "late" + model.topics.size();
        trace("declare " + name);
        final long expirationMs = random.nextBoolean() ? 0 : 300;
        publisher.declare(name, "k", expirationMs);
        broker.settle();
        for (int shard = 0; shard < shardCount; shard++) {
            if (lastSequence(shard) == model.sequence(shard) + 1) {
                model.add(new ModelTopic(name, List.of("k"), expirationMs, shard));
            }
        }
        assertThat(model.topics).last().extracting(topic -> topic.name).isEqualTo(name);
        count("topics declared");
    }

    /** A client asks for more than its connection takes, and does not read; meanwhile everything changes. */
    private void crowd() {
        final ModelClient client = client();
        if (!forgetful || client.paused) {
            return;
        }
        final ModelTopic topic = model.topics.get(0);
        trace("crowd of " + clients.indexOf(client) + " " + flood(topic));
        client.paused = true;
        for (int i = 0; i < 20; i++) {
            query(client, new ModelQuery(topic));
        }
        broker.settle();
        trace("flood " + flood(topic));
        count("crowds");
    }

    private void deleteByKeys() {
        final ModelTopic topic = topic();
        final List<String> keys = topic.newest().keySet().stream()
                .sorted()
                .filter(key -> random.nextInt(4) == 0)
                .toList();
        final List<String> texts =
                new ArrayList<>(keys.stream().map(topic::keyText).toList());
        texts.add(topic.isPublisherKey() ? "none" : topic.keyText(topic.keyFields.size() > 1 ? "none|none" : "none"));
        trace("delete " + topic.name + " " + keys);
        assertThat(publisher.delete(topic.name, "", texts.toArray(new String[0])))
                .isEqualTo(keys.size());
        model.delete(topic, keys);
        broker.settle();
        model.absorb(broker.clock.nanoTime());
        count("deletes by key");
    }

    private void deleteByFilter() {
        final ModelTopic topic = topic();
        final ModelFilter filter = ModelFilter.random(random);
        final List<String> keys = topic.newest().values().stream()
                .filter(version -> filter.matches(version.fields()))
                .map(ModelTopic.Version::key)
                .toList();
        trace("delete " + topic.name + " " + filter.text() + " " + keys);
        assertThat(publisher.delete(topic.name, filter.text().isEmpty() ? "TRUE" : filter.text()))
                .isEqualTo(keys.size());
        model.deleteAll(topic, keys, RecordKind.OOF_DELETED);
        broker.settle();
        model.absorb(broker.clock.nanoTime());
        count("deletes by filter");
    }

    private void advance(final int ms) {
        for (int i = 0; i < ms; i += 5) {
            broker.clock.advance(TimeUnit.MILLISECONDS.toNanos(5));
            broker.settle();
            expiredCount += model.expire(broker.clock.nanoTime());
        }
        count("advances");
    }

    private void query() {
        final ModelClient client = client();
        query(client, new ModelQuery(any(), random));
        for (int i = random.nextInt(6); i > 0; i--) {
            broker.cycle();
        }
    }

    private void query(final ModelClient client, final ModelQuery query) {
        final long id = nextId++;
        trace("query " + id + " of " + clients.indexOf(client) + " " + query.request);
        client.queries.put(id, query);
        client.offer(() -> client.session.offerSow(id, query.request));
        if (query.topic.isView()) {
            count("queries of views");
        }
        count(client.paused ? "queries of slow clients" : "queries");
    }

    private void subscribe() {
        final ModelClient client = client();
        final ModelInterest interest = new ModelInterest(any(), random);
        if (client.paused || client.subscriptions.size() > 4) {
            return;
        }
        final long id = nextId++;
        trace("subscribe " + id + " of " + clients.indexOf(client) + " " + interest.request);
        client.subscriptions.put(id, new ModelSubscription(interest, model.sequence(interest.topic), turns()));
        client.subscribe(id, interest.request);
        count("subscribes");
        if (interest.request.isSow()) {
            count("subscribes with state");
        }
        if (interest.topic.isView()) {
            count("subscribes to views");
        }
    }

    private void subscribePattern() {
        final ModelClient client = client();
        if (client.paused || client.patterns.size() > 1) {
            return;
        }
        final long id = nextId++;
        final ModelPattern pattern = new ModelPattern(model, shardCount, random);
        trace("subscribe " + id + " of " + clients.indexOf(client) + " " + pattern);
        client.patterns.put(id, pattern);
        client.subscribe(id, pattern.request);
        count(pattern.request.isSow() ? "patterns with state" : "patterns");
    }

    private void replace() {
        final ModelClient client = client();
        if (client.subscriptions.isEmpty()) {
            return;
        }
        final long id = client.subscriptions.keySet().iterator().next();
        final ModelSubscription subscription = client.subscriptions.get(id);
        if (client.paused) {
            // It reads again, and has not caught up when it replaces what it follows.
            client.paused = false;
            for (int i = random.nextInt(4); i > 0; i--) {
                broker.cycle();
            }
            count("replaces of slow clients");
        }
        for (int i = random.nextInt(4) == 0 ? 3 : 1; i > 0; i--) {
            ModelInterest interest;
            do {
                interest = new ModelInterest(subscription.interest().topic, random);
            } while (i > 1 && interest.request.isSow());
            trace("replace " + id + " of " + clients.indexOf(client) + " " + interest.request);
            subscription.replace(interest, model.sequence(interest.topic));
            client.replace(id, interest.request);
            count("replaces");
        }
    }

    private void unsubscribe() {
        final ModelClient client = client();
        if (client.paused || (client.subscriptions.isEmpty() && client.patterns.isEmpty())) {
            return;
        }
        final long id = (client.subscriptions.isEmpty() ? client.patterns : client.subscriptions)
                .keySet()
                .iterator()
                .next();
        trace("unsubscribe " + id + " of " + clients.indexOf(client));
        client.offer(() -> client.session.offerUnsubscribe(id));
        client.subscriptions.remove(id);
        client.patterns.remove(id);
        count("unsubscribes");
    }

    private void pause() {
        final ModelClient client = client();
        client.paused = !client.paused;
        trace((client.paused ? "pause " : "go on ") + clients.indexOf(client));
        count(client.paused ? "pauses" : "goes on");
    }

    /** What is refused leaves everything as it was. */
    private void refuse() {
        publisher.errors.clear();
        final ErrorCode expected;
        switch (random.nextInt(5)) {
            case 0 -> {
                publisher.publish("one", "{\"p\":1}");
                expected = ErrorCode.BAD_KEY;
            }
            case 1 -> {
                publisher.publish("given", "", "{\"p\":1}", false, 0);
                expected = ErrorCode.BAD_KEY;
            }
            case 2 -> {
                publisher.sow(SowRequest.topic("one").orderBy("p SIDEWAYS"));
                expected = ErrorCode.BAD_QUERY;
            }
            case 3 -> {
                publisher.subscribe(1_000_000, SubscribeRequest.topic("nothing").sow());
                expected = ErrorCode.NO_STATE;
            }
            default -> {
                publisher.publish("two", "{\"a\":\"a1\",\"b\":}");
                expected = ErrorCode.BAD_MESSAGE;
            }
        }
        trace("refused " + expected);
        publisher.flush();
        assertThat(publisher.errors).extracting(BrokerError::errorCode).containsExactly(expected);
        count("refusals");
    }

    private void connect() {
        if (clients.size() < CLIENT_COUNT_MAX) {
            trace("connect " + clients.size());
            clients.add(new ModelClient(broker));
            count("connects");
        } else {
            final int index = random.nextInt(clients.size());
            trace("close " + index);
            clients.remove(index).close();
            count("closes");
        }
    }

    private void verify() {
        broker.settle();
        for (int shard = 0; shard < shardCount; shard++) {
            assertThat(lastSequence(shard))
                    .as("last sequence of shard %d", shard)
                    .isEqualTo(model.sequence(shard));
        }
        assertThat(broker.broker.counter("stateExpired")).isEqualTo(expiredCount);
        checkViews();
        for (final ModelClient client : clients) {
            if (!client.paused) {
                verify(client);
            }
        }
    }

    /** Views are as their sources are, unless there was no memory for a row. */
    private void checkViews() {
        final long rowsRefused = broker.broker.counter("stateRefused") - publishing.refusedCount;
        if (rowsRefused > 0) {
            assertThat(viewing).as("refused, and nobody was notified").isTrue();
            model.views.forEach(view -> view.isIncomplete = true);
        }
        assertThat(rowsRefused).isNotNegative();
        model.views.forEach(view -> view.check(model.sequence(view)));
    }

    private void verify(final ModelClient client) {
        final long turns = turns();
        client.subscriptions.forEach((id, subscription) -> checked(
                "subscription " + id + " " + subscription,
                () -> subscription.check(model.sequence(subscription.interest().topic), turns)));
        client.subscriptions.values().removeIf(subscription -> {
            histogram.merge("replaces with nothing missed", (long) subscription.exactReplaces, Long::sum);
            histogram.merge("replaces with no telling", (long) subscription.uncertainReplaces, Long::sum);
            subscription.exactReplaces = 0;
            subscription.uncertainReplaces = 0;
            if (subscription.ended) {
                count("subscriptions ended");
            }
            return subscription.ended;
        });
        client.takePatterns();
        client.patterns.values().removeIf(pattern -> {
            histogram.merge("patterns sent anew", (long) pattern.takeResyncs(), Long::sum);
            return pattern.ended;
        });
        client.patterns.forEach((id, pattern) -> checked("pattern " + id + " " + pattern, pattern::check));
        client.queries.keySet().removeIf(id -> isTooOld(client, id));
        client.queries.values().removeIf(query -> {
            if (query.ended) {
                checked("query " + query, query::check);
            }
            return query.ended;
        });
    }

    private boolean isTooOld(final ModelClient client, final long id) {
        final BrokerError error = client.failures.get(id);
        if (error == null) {
            return false;
        }
        assertThat(error.errorCode()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD);
        count("snapshots too old");
        return true;
    }

    private static void checked(final String what, final Runnable check) {
        try {
            check.run();
        } catch (final AssertionError failed) {
            throw new AssertionError(what + ": " + failed.getMessage(), failed);
        }
    }

    private long turns() {
        return broker.broker.counter("turnsToCursor") + broker.broker.counter("fellBehind");
    }

    private long lastSequence(final int shard) {
        final String wanted = "shard-" + shard + ".lastSequence";
        final long[] found = {0};
        broker.broker.counters().forEach((value, id, label) -> found[0] = label.equals(wanted) ? value : found[0]);
        return found[0];
    }

    private void tally() {
        histogram.merge("publishes", publishing.publishCount, Long::sum);
        histogram.merge("deltas", publishing.deltaCount, Long::sum);
        if (viewing) {
            histogram.merge(
                    "rows of views",
                    model.views.stream().mapToLong(view -> view.events.size()).sum(),
                    Long::sum);
            histogram.merge("views without all rows", model.views.get(0).isIncomplete ? 1L : 0L, Long::sum);
        }
        for (final String name : COUNTERS) {
            histogram.merge(name, broker.broker.counter(name), Long::sum);
        }
    }

    /** Nothing is left of clients that have disconnected. */
    private void assertNothingLeaked() {
        clients.forEach(StateClient::close);
        clients.clear();
        publisher.close();
        if (witness != null) {
            witness.close();
        }
        if (others != null) {
            others.close();
        }
        broker.assertNothingLeaked();
    }

    private ModelTopic topic() {
        return model.topics.get(random.nextInt(model.topics.size()));
    }

    /** A topic or a view. */
    private ModelTopic any() {
        final List<ModelTopic> all = model.all();
        return all.get(random.nextInt(all.size()));
    }

    private ModelClient client() {
        return clients.get(random.nextInt(clients.size()));
    }

    private void count(final String what) {
        histogram.merge(what, 1L, Long::sum);
    }

    private void trace(final String what) {
        trace.add(what);
        if (trace.size() > TRACE_COUNT) {
            trace.remove();
        }
    }

    /** The last operations. */
    String story() {
        return String.join("\n  ", trace);
    }

    /** What the broker has reported. */
    java.util.List<String> errors() {
        return broker.takeErrors();
    }

    @Override
    public void close() {
        broker.close();
    }
}
