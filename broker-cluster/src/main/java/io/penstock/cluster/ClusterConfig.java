package io.penstock.cluster;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.TopicConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The settings of a node of a cluster. All nodes may have the same but for {@code member}, and for directories. Immutable.
 *
 * @param member          number of this node: its place in {@code members}, from 0.
 * @param members         all nodes, {@code HOST:PORT} each; six ports from it on are used. Empty for a broker that is alone.
 * @param directory       of the log that the nodes agree on, and of this node's own files.
 * @param driverDirectory of the memory through which the node's parts speak with each other; empty for one in the
 *                        system's shared memory that is named after {@code directory}. Of this node's user alone.
 * @param trustedNetwork  whether nodes may speak over a network: nothing of it is encrypted, and whoever reaches a port of
 *                        a node may publish what he likes.
 * @param detectionMs     after that long without a sign of life the node that leads is taken for gone.
 * @param syncLevel       when a message counts as stored on a node: 0 when the operating system has it, 1 when it is on
 *                        stable storage, 2 when facts about its file are as well.
 * @param unsafe          whether {@code syncLevel} may be 0: a loss of power at several nodes may lose messages then.
 * @param stuckMs         a node leaves the others when one of its shards has taken nothing for so long that waits for it.
 */
public record ClusterConfig(
        int member,
        List<String> members,
        String directory,
        String driverDirectory,
        boolean trustedNetwork,
        int detectionMs,
        int syncLevel,
        boolean unsafe,
        int stuckMs) {
    public static final String DIRECTORY_DEFAULT = "cluster";
    public static final int DETECTION_MS_DEFAULT = 1000;
    public static final int SYNC_LEVEL_DEFAULT = 1;
    public static final int STUCK_MS_DEFAULT = 30_000;

    /** Ports that a node takes, from its own on. */
    public static final int PORT_COUNT = NodePlace.PORT_COUNT;

    private static final int MEMBER_COUNT_MAX = 7;
    private static final int DETECTION_MS_MIN = 100;
    private static final int DETECTION_MS_MAX = 60_000;
    private static final int STUCK_MS_MIN = 1000;
    private static final int STUCK_MS_MAX = 3_600_000;
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    public ClusterConfig {
        members = List.copyOf(members);
        final List<NodePlace> places = NodePlace.parse(members);
        if ((places.size() % 2 == 0 && !places.isEmpty()) || places.size() > MEMBER_COUNT_MAX) {
            throw new IllegalArgumentException("cluster.members: not an odd number up to " + MEMBER_COUNT_MAX + ": "
                    + places.size() + " (name 3 or 5 nodes, so that there is a majority)");
        }
        check("member", member, 0, Math.max(0, places.size() - 1));
        check("detectionMs", detectionMs, DETECTION_MS_MIN, DETECTION_MS_MAX);
        check("syncLevel", syncLevel, 0, 2);
        check("stuckMs", stuckMs, STUCK_MS_MIN, STUCK_MS_MAX);
        if (!trustedNetwork) {
            for (final NodePlace place : places) {
                if (!place.isLoopback()) {
                    throw new IllegalArgumentException("cluster.members: other machines can reach " + place.host() + ":"
                            + place.basePort() + ", and nodes speak without encryption (use loopback addresses, or a"
                            + " private network or tunnel and cluster.trustedNetwork: true)");
                }
            }
        }
        if (syncLevel == 0 && !unsafe) {
            throw new IllegalArgumentException(
                    "cluster.syncLevel: 0 may lose messages when power goes for several nodes"
                            + " (use 1, or set cluster.unsafe: true)");
        }
        if (directory.isBlank()) {
            throw new IllegalArgumentException(
                    "cluster.directory: empty (name a directory of this node alone, for example " + DIRECTORY_DEFAULT
                            + ")");
        }
        if (!driverDirectory.isEmpty() && normal(directory).startsWith(normal(driverDirectory))) {
            throw new IllegalArgumentException("cluster.driverDirectory: cluster.directory is in it: " + driverDirectory
                    + " (name one beside it that is used for nothing else)");
        }
    }

    /**
     * A node that leaves when a shard is stuck for the time of the default.
     *
     * @param member          its number.
     * @param members         all nodes.
     * @param directory       of the node.
     * @param driverDirectory of its memory; may be empty.
     * @param trustedNetwork  whether nodes may speak over a network.
     * @param detectionMs     how long a leader is waited for.
     * @param syncLevel       when a message counts as stored.
     * @param unsafe          whether that may be 0.
     */
    public ClusterConfig(
            final int member,
            final List<String> members,
            final String directory,
            final String driverDirectory,
            final boolean trustedNetwork,
            final int detectionMs,
            final int syncLevel,
            final boolean unsafe) {
        this(
                member,
                members,
                directory,
                driverDirectory,
                trustedNetwork,
                detectionMs,
                syncLevel,
                unsafe,
                STUCK_MS_DEFAULT);
    }

    private static Path normal(final String path) {
        return Path.of(path).toAbsolutePath().normalize();
    }

    private static void check(final String key, final long value, final long min, final long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "cluster." + key + ": out of range: " + value + " (use " + min + " to " + max + ")");
        }
    }

    /** No cluster. */
    public static ClusterConfig defaults() {
        return of(0, List.of(), DIRECTORY_DEFAULT);
    }

    /**
     * A node with defaults for everything else.
     *
     * @param member    its number.
     * @param members   all nodes; loopback addresses.
     * @param directory of the node.
     * @return the settings.
     */
    public static ClusterConfig of(final int member, final List<String> members, final String directory) {
        return new ClusterConfig(
                member, members, directory, "", false, DETECTION_MS_DEFAULT, SYNC_LEVEL_DEFAULT, false);
    }

    /** Whether this is a node of a cluster. */
    public boolean isUsed() {
        return !members.isEmpty();
    }

    /**
     * Refuses what a node of a cluster cannot do.
     *
     * @param broker configuration of the node's broker.
     * @throws IllegalArgumentException when something is in the way: the key, the value and what to use.
     */
    public void check(final BrokerConfig broker) {
        if (broker.threading() == ThreadingMode.INVOKER) {
            throw new IllegalArgumentException(
                    "threading: a node of a cluster needs threads of its own: INVOKER (use shared or dedicated)");
        }
        if (!broker.journal().directory().isEmpty()) {
            throw new IllegalArgumentException(
                    "journal.directory: a node of a cluster has its files in cluster.directory: "
                            + broker.journal().directory() + " (leave journal.directory out)");
        }
        for (final TopicConfig topic : broker.topics()) {
            if (!topic.journaled()) {
                throw new IllegalArgumentException("topics.journaled: is false for " + topic.name()
                        + ", and a cluster keeps all topics (leave it out)");
            }
        }
    }

    List<NodePlace> places() {
        return NodePlace.parse(members);
    }

    /** Of Aeron's media driver, on this node alone, below one that is its user's alone. */
    Path driverPath() {
        return driverBase().resolve("driver");
    }

    private Path driverBase() {
        if (!driverDirectory.isEmpty()) {
            return normal(driverDirectory);
        }
        final Path path = normal(directory);
        final String name = "penstock-" + Integer.toHexString(path.hashCode()) + "-" + member;
        return Files.isDirectory(SHARED_MEMORY) ? SHARED_MEMORY.resolve(name) : path.resolve("memory");
    }
}
