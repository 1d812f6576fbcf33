package io.penstock.simulator;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.SessionConfig;
import io.penstock.broker.StateConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.ViewConfig;
import io.penstock.broker.WindowConfig;
import io.penstock.broker.event.EventHandler;
import io.penstock.broker.journal.LogPage;
import io.penstock.broker.journal.SyncPolicy;
import io.penstock.simulator.Reached.State;
import io.penstock.simulator.ReplayRequest.Wish;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;

/** Everything that there is in a run: the broker's configuration, its disk and network, and its clients. */
final class World {
    static final String DIRECTORY = "sim";
    static final String ARCHIVE = "archive";

    private static final List<Wish> WISHES = List.of(
            new Wish(Topics.LOG, false, 0),
            new Wish(Topics.LOG, false, Topics.VALUE_COUNT / 2),
            new Wish(Topics.KEYED, false, 0),
            new Wish(Topics.EXPIRING, false, Topics.VALUE_COUNT / 2),
            new Wish(Topics.VIEW, false, 0),
            new Wish("log|kv", true, 0),
            new Wish("[^m].*", true, Topics.VALUE_COUNT / 2));

    private static final int FILE_LENGTH = 64 * 1024;
    private static final int MESSAGE_LENGTH_MAX = 1024;

    final SplittableRandom random;
    final Trace trace = new Trace();
    final Reached reached = new Reached();
    final SimClock clock = new SimClock();
    final SimDisk disk;
    final SimNetwork network;
    final History history = new History();
    final List<Publisher> publishers = new ArrayList<>();
    final List<Follower> followers = new ArrayList<>();
    final List<Listener> listeners = new ArrayList<>();
    final Listener memoryListener;
    final List<Reader> readers = new ArrayList<>();
    final List<SimClient> clients = new ArrayList<>();
    final Querier querier;
    final Recoveries recoveries = new Recoveries();
    final SyncPolicy policy;
    final int shardCount;
    final ModelLogs logs;
    final SnapshotChecks snapshots;
    final boolean hasArchive;
    final ModelViews views;

    /** Operations between two runs of the broker are fewer. Faults come after as many operations, whatever it is. */
    final int workMax;

    /** Counts the starts of brokers. */
    int run;

    private final int[] counters;
    private @Nullable CountersReader reader;
    private final Plant plant;
    private final int intervalMs;
    private final int ringLength;
    private final long snapshotLength;
    private final long snapshotIntervalMs;
    private final long retentionLength;
    private final long retentionMs;

    World(final long seed, final Plant plant) {
        this.plant = plant;
        // Of neighbouring seeds, and of multiples of the golden ratio, the numbers would be alike.
        final long mixed = (seed ^ 0x5DEECE66DL) * 0xD1342543DE82EF95L;
        random = new SplittableRandom(mixed ^ (mixed >>> 32));
        disk = new SimDisk(random.split(), trace, reached);
        network = new SimNetwork(random.split(), clock, trace, reached);
        network.tamper = plant::onFrame;
        network.commandTamper = plant::onCommand;
        policy = switch (random.nextInt(3)) {
            case 0 -> SyncPolicy.ALWAYS;
            case 1 -> SyncPolicy.INTERVAL;
            default -> SyncPolicy.OS;
        };
        shardCount = 1 + random.nextInt(2);
        counters = new int[shardCount];
        intervalMs = 1 + random.nextInt(20);
        ringLength = 512 << random.nextInt(3);
        final boolean hasSnapshots = random.nextInt(4) > 0;
        snapshotLength = hasSnapshots && random.nextBoolean() ? 8192 << random.nextInt(4) : 0;
        snapshotIntervalMs = hasSnapshots && snapshotLength == 0 ? 5 + random.nextInt(100) : 0;
        retentionLength = random.nextBoolean() ? 1 + random.nextInt(3 * FILE_LENGTH) : 0;
        retentionMs = random.nextInt(3) == 0 ? 1 + random.nextInt(400) : 0;
        hasArchive = random.nextInt(4) == 0;
        workMax = 4 << random.nextInt(3);
        logs = new ModelLogs(disk, shardCount, hasArchive);
        disk.removeListener = logs::onRemove;
        snapshots = new SnapshotChecks(this);
        // Numbers of their own: a run without these views is what it would be if there were none.
        final SplittableRandom ofViews = new SplittableRandom(~mixed);
        views = new ModelViews(ofViews, shardCount);
        reached.add(
                switch (policy) {
                    case ALWAYS -> State.POLICY_ALWAYS;
                    case INTERVAL -> State.POLICY_INTERVAL;
                    case OS -> State.POLICY_OS;
                });
        reached.add(State.TWO_SHARDS, shardCount - 1);
        for (int i = 2 + random.nextInt(2); i > 0; i--) {
            publishers.add(new Publisher(network, "publisher-" + i, history, views.hasJoin()));
        }
        followers.add(new Follower(network, "all", Topics.KEYED, 0, random.nextBoolean()));
        followers.add(new Follower(network, "some", Topics.KEYED, Topics.VALUE_COUNT / 2, random.nextBoolean()));
        followers.add(new Follower(network, "expiring", Topics.EXPIRING, 0, random.nextBoolean()));
        followers.add(new Follower(network, "groups", Topics.VIEW, 0, false));
        final List<Wish> wishes = new ArrayList<>(WISHES);
        for (final String topic : views.topics()) {
            final boolean isOfSome = topic.equals(Topics.JOIN) && ofViews.nextBoolean();
            followers.add(new Follower(network, topic, topic, isOfSome ? Topics.VALUE_COUNT / 2 : 0, false));
            wishes.add(new Wish(topic, false, 0));
        }
        listeners.add(new Listener(network, "log", Topics.LOG, history));
        memoryListener = new Listener(network, "memory", Topics.MEMORY, history);
        listeners.add(memoryListener);
        readers.add(new Reader(this, "reader", wishes.get(random.nextInt(wishes.size()))));
        readers.add(new Reader(this, "other reader", wishes.get(random.nextInt(wishes.size()))));
        querier = new Querier(this, "querier");
        clients.addAll(publishers);
        clients.addAll(followers);
        clients.addAll(listeners);
        clients.addAll(readers);
        clients.add(querier);
    }

    /** Starts a broker. */
    Broker launch(final Life life) {
        run++;
        network.begin(life);
        recoveries.clear();
        return Broker.launch(config(life), recoveries);
    }

    private BrokerConfig config(final Life life) {
        final BrokerConfig.Builder builder = BrokerConfig.builder()
                .listen("sim:broker")
                .threading(ThreadingMode.INVOKER)
                .shardCount(shardCount)
                .window(new WindowConfig(WindowConfig.SEGMENT_LENGTH_MIN, 4))
                .sessions(new SessionConfig(
                        32, 8, MESSAGE_LENGTH_MAX, 16, 16, ringLength, 64, 256 * 1024, 3_600_000, 3_600_000))
                .state(new StateConfig(8 << 20, 128 << 10, 64 << 10, 1, 3_600_000, 8 << 20))
                .journal(JournalConfig.in(DIRECTORY)
                        .withSync(policy)
                        .withIntervalMs(intervalMs)
                        .withFileLength(FILE_LENGTH)
                        .withReplayLengthMax(2 * LogPage.LENGTH)
                        .withSnapshots(snapshotLength, snapshotIntervalMs)
                        .withRetention(retentionLength, retentionMs)
                        .withArchive(hasArchive ? ARCHIVE : ""))
                .events(EventHandler.NONE)
                .storage(path -> plant.wrap(disk.open(life, path)))
                .topic(TopicConfig.topic(Topics.LOG, "json"))
                .topic(views.keyed())
                .topic(TopicConfig.keyed(Topics.EXPIRING, "json", TopicConfig.PUBLISHER_KEY))
                .topic(TopicConfig.topic(Topics.MEMORY, "json").inMemory())
                .view(new ViewConfig(Topics.VIEW, Topics.KEYED, "", Topics.VIEW_SELECT, "g"))
                .nanoClock(clock)
                .epochClock(clock);
        views.declare(builder, plant, run);
        return builder.build();
    }

    /** A broker has started. */
    void onStarted(final Broker broker) {
        final CountersReader present = broker.counters();
        reader = present;
        present.forEach((id, label) -> {
            for (int shard = 0; shard < shardCount; shard++) {
                if (label.equals("shard-" + shard + ".lastSequence")) {
                    counters[shard] = id;
                }
            }
        });
    }

    /** Whether a broker has to be able to answer a question. */
    boolean isWithinReach(final Past past) {
        return snapshots.isWithinReach(past.shard(), past.sequence(), past.timeNs() != 0);
    }

    /** The last sequence that the broker has given in a shard. */
    long lastSequence(final int shard) {
        return reader == null ? 0 : reader.getCounterValue(counters[shard]);
    }

    void betweenRuns() {
        plant.betweenRuns(disk);
    }
}
