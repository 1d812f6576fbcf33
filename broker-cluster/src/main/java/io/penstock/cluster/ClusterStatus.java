package io.penstock.cluster;

import io.aeron.AeronCounters;
import io.aeron.CncFileDescriptor;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.service.Cluster;
import java.io.File;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * How a node of this machine is, as its shared memory has it. Whoever may read that memory can ask; the node does not notice.
 *
 * @param member    number of the node.
 * @param state     of it.
 * @param committed where the order ends that this node knows a majority to have, in bytes of the log; -1 when it is not known.
 * @param term      number of the term in which the node last followed or led; -1 when it is not known.
 */
public record ClusterStatus(int member, State state, long committed, long term) {
    private static final long UNKNOWN = -1;
    private static final long ALIVE_MS = TimeUnit.SECONDS.toMillis(2);

    /** What a node does. */
    public enum State {
        /** It has given no sign of life for 2 seconds, or was never started. */
        NOT_RUNNING,

        /** It starts, votes, or takes what it lacks. */
        JOINING,

        /** It takes the order from the node that leads. */
        FOLLOWS,

        /** It makes the order. */
        LEADS
    }

    /**
     * Looks at a node of this machine.
     *
     * @param config of the node.
     * @return how it is.
     */
    public static ClusterStatus read(final ClusterConfig config) {
        return read(config.member(), config.driverPath().toFile(), SystemEpochClock.INSTANCE);
    }

    static ClusterStatus read(final int member, final File driverDirectory, final EpochClock clock) {
        final File file = new File(driverDirectory, CncFileDescriptor.CNC_FILE);
        if (!file.exists() || file.length() == 0) {
            return new ClusterStatus(member, State.NOT_RUNNING, UNKNOWN, UNKNOWN);
        }
        final MappedByteBuffer memory;
        try {
            memory = IoUtil.mapExistingFile(file, FileChannel.MapMode.READ_ONLY, "node");
        } catch (final IllegalStateException e) {
            // It was deleted meanwhile.
            return new ClusterStatus(member, State.NOT_RUNNING, UNKNOWN, UNKNOWN);
        }
        try {
            return read(member, memory, clock.time());
        } finally {
            IoUtil.unmap(memory);
        }
    }

    private static ClusterStatus read(final int member, final MappedByteBuffer memory, final long nowMs) {
        final DirectBuffer head = CncFileDescriptor.createMetaDataBuffer(memory);
        if (head.getInt(CncFileDescriptor.cncVersionOffset(0)) == 0) {
            return new ClusterStatus(member, State.JOINING, UNKNOWN, UNKNOWN);
        }
        final long aliveMs =
                new ManyToOneRingBuffer(CncFileDescriptor.createToDriverBuffer(memory, head)).consumerHeartbeatTime();
        if (nowMs - aliveMs > ALIVE_MS) {
            return new ClusterStatus(member, State.NOT_RUNNING, UNKNOWN, UNKNOWN);
        }
        final CountersReader counters = new CountersReader(
                CncFileDescriptor.createCountersMetaDataBuffer(memory, head),
                CncFileDescriptor.createCountersValuesBuffer(memory, head),
                StandardCharsets.US_ASCII);
        return new ClusterStatus(
                member,
                state(counters),
                value(counters, AeronCounters.CLUSTER_COMMIT_POSITION_TYPE_ID),
                value(counters, AeronCounters.CLUSTER_LEADERSHIP_TERM_ID_TYPE_ID));
    }

    private static State state(final CountersReader counters) {
        if (value(counters, AeronCounters.CLUSTER_ELECTION_STATE_TYPE_ID) != ElectionState.CLOSED.code()) {
            return State.JOINING;
        }
        return value(counters, AeronCounters.CLUSTER_NODE_ROLE_TYPE_ID) == Cluster.Role.LEADER.code()
                ? State.LEADS
                : State.FOLLOWS;
    }

    private static long value(final CountersReader counters, final int type) {
        for (int id = 0; id <= counters.maxCounterId(); id++) {
            if (counters.getCounterState(id) == CountersReader.RECORD_ALLOCATED
                    && counters.getCounterTypeId(id) == type) {
                return counters.getCounterValue(id);
            }
        }
        return UNKNOWN;
    }
}
