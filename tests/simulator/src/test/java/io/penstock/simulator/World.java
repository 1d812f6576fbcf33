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
import io.penstock.broker.journal.LogPage;
import io.penstock.broker.journal.SyncPolicy;
import io.penstock.simulator.Reached.State;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Everything that there is in a run: the broker's configuration, its disk and network, and its clients. */
final class World {
    static final String DIRECTORY = "sim";

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
    final List<SimClient> clients = new ArrayList<>();
    final Querier querier;
    final SyncPolicy policy;
    final int shardCount;
    private final Plant plant;
    private final int intervalMs;
    private final int ringLength;

    World(final long seed, final Plant plant) {
        this.plant = plant;
        // Of neighbouring seeds, and of multiples of the golden ratio, the numbers would be alike.
        final long mixed = (seed ^ 0x5DEECE66DL) * 0xD1342543DE82EF95L;
        random = new SplittableRandom(mixed ^ (mixed >>> 32));
        disk = new SimDisk(random.split(), trace, reached);
        network = new SimNetwork(random.split(), clock, trace, reached);
        network.tamper = plant::onFrame;
        policy = switch (random.nextInt(3)) {
            case 0 -> SyncPolicy.ALWAYS;
            case 1 -> SyncPolicy.INTERVAL;
            default -> SyncPolicy.OS;
        };
        shardCount = 1 + random.nextInt(2);
        intervalMs = 1 + random.nextInt(20);
        ringLength = 512 << random.nextInt(3);
        reached.add(
                switch (policy) {
                    case ALWAYS -> State.POLICY_ALWAYS;
                    case INTERVAL -> State.POLICY_INTERVAL;
                    case OS -> State.POLICY_OS;
                });
        reached.add(State.TWO_SHARDS, shardCount - 1);
        for (int i = 2 + random.nextInt(2); i > 0; i--) {
            publishers.add(new Publisher(network, "publisher-" + i, history));
        }
        followers.add(new Follower(network, "all", Topics.KEYED, 0, random.nextBoolean()));
        followers.add(new Follower(network, "some", Topics.KEYED, Topics.VALUE_COUNT / 2, random.nextBoolean()));
        followers.add(new Follower(network, "expiring", Topics.EXPIRING, 0, random.nextBoolean()));
        followers.add(new Follower(network, "groups", Topics.VIEW, 0, false));
        listeners.add(new Listener(network, "log", Topics.LOG, history));
        listeners.add(new Listener(network, "memory", Topics.MEMORY, history));
        querier = new Querier(network, "querier");
        clients.addAll(publishers);
        clients.addAll(followers);
        clients.addAll(listeners);
        clients.add(querier);
    }

    /** Starts a broker. */
    Broker launch(final Life life) {
        network.begin(life);
        return Broker.launch(BrokerConfig.builder()
                .listen("sim:broker")
                .threading(ThreadingMode.INVOKER)
                .shardCount(shardCount)
                .window(new WindowConfig(WindowConfig.SEGMENT_LENGTH_MIN, 4))
                .sessions(new SessionConfig(
                        16, 8, MESSAGE_LENGTH_MAX, 16, 16, ringLength, 64, 256 * 1024, 3_600_000, 3_600_000))
                .state(new StateConfig(8 << 20, 128 << 10, 64 << 10, 1, 3_600_000, 8 << 20))
                .journal(JournalConfig.in(DIRECTORY)
                        .withSync(policy)
                        .withIntervalMs(intervalMs)
                        .withFileLength(FILE_LENGTH)
                        .withReplayLengthMax(2 * LogPage.LENGTH)
                        .withSnapshots(0, 0))
                .storage(path -> plant.wrap(disk.open(life, path)))
                .topic(TopicConfig.topic(Topics.LOG, "json"))
                .topic(TopicConfig.keyed(Topics.KEYED, "json", "id"))
                .topic(TopicConfig.keyed(Topics.EXPIRING, "json", TopicConfig.PUBLISHER_KEY))
                .topic(TopicConfig.topic(Topics.MEMORY, "json").inMemory())
                .view(new ViewConfig(Topics.VIEW, Topics.KEYED, "", Topics.VIEW_SELECT, "g"))
                .nanoClock(clock)
                .epochClock(clock)
                .build());
    }

    void betweenRuns() {
        plant.betweenRuns(disk);
    }

    /** The logs as they are seen now, by their shards. */
    List<ModelLog> readLogs() {
        final List<ModelLog> logs = new ArrayList<>();
        for (int shard = 0; shard < shardCount; shard++) {
            logs.add(ModelLog.read(disk.directory(DIRECTORY + "/shard-" + shard)));
        }
        return logs;
    }
}
