package io.penstock.broker.cluster;

import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusteredMediaDriver;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.NanosecondClusterClock;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.MinMulticastFlowControlSupplier;
import io.aeron.driver.ThreadingMode;
import java.io.File;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpLock;

/** One node: media driver, archive, consensus module and service in this process. Any thread. */
final class ClusterNode implements AutoCloseable {
    private static final int MTU_LENGTH = 8 * 1024;
    private static final int SOCKET_LENGTH = 2 * 1024 * 1024;
    private static final int SESSION_COUNT_MAX = 64;
    private static final int TERM_LENGTH_TEXT = 64;

    private final NodePlace place;
    private final String driverDirectory;
    private final AppliedLog applied = new AppliedLog();
    private final LogService service;
    private final ClusteredMediaDriver driver;
    private final ClusteredServiceContainer container;

    /**
     * Starts a node, which goes on with what is in its directory.
     *
     * @param directory       of its log and state.
     * @param driverDirectory of its media driver, best in memory.
     * @param place           of this node.
     * @param places          of all of them.
     * @param timeouts        how long it waits for others.
     * @param fileSyncLevel   1: on stable storage before it counts; 0: not.
     * @param listener        is notified of each command that was applied.
     * @param errorHandler    for what goes wrong.
     */
    ClusterNode(
            final File directory,
            final File driverDirectory,
            final NodePlace place,
            final List<NodePlace> places,
            final ClusterTimeouts timeouts,
            final int fileSyncLevel,
            final LogService.AppliedListener listener,
            final ErrorHandler errorHandler) {
        this.place = place;
        this.driverDirectory = driverDirectory.getPath();
        service = new LogService(applied, listener);
        final MediaDriver.Context media = media(this.driverDirectory, errorHandler);
        final Archive.Context archive = new Archive.Context()
                .aeronDirectoryName(this.driverDirectory)
                .archiveDir(new File(directory, "archive"))
                .controlChannel("aeron:udp?endpoint=" + place.archive())
                .localControlChannel("aeron:ipc?term-length=64k")
                .replicationChannel("aeron:udp?endpoint=" + place.host() + ":0")
                .recordingEventsEnabled(false)
                .threadingMode(ArchiveThreadingMode.SHARED)
                .idleStrategySupplier(ClusterNode::idle)
                .fileSyncLevel(fileSyncLevel)
                .catalogFileSyncLevel(fileSyncLevel)
                .errorHandler(errorHandler);
        final AeronArchive.Context local = new AeronArchive.Context()
                .lock(NoOpLock.INSTANCE)
                .aeronDirectoryName(this.driverDirectory)
                .controlRequestChannel(archive.localControlChannel())
                .controlRequestStreamId(archive.localControlStreamId())
                .controlResponseChannel(archive.localControlChannel());
        final File clusterDirectory = new File(directory, "cluster");
        final ConsensusModule.Context consensus = new ConsensusModule.Context()
                .aeronDirectoryName(this.driverDirectory)
                .clusterDir(clusterDirectory)
                .clusterMemberId(place.member())
                .clusterMembers(NodePlace.members(places))
                .clusterClock(new NanosecondClusterClock())
                .ingressChannel("aeron:udp?term-length=2m|mtu=" + MTU_LENGTH)
                .logChannel("aeron:udp?term-length=" + TERM_LENGTH_TEXT + "m|control-mode=manual|mtu=" + MTU_LENGTH
                        + "|control=" + place.logControl())
                .replicationChannel("aeron:udp?endpoint=" + place.host() + ":0")
                .archiveContext(local.clone())
                .fileSyncLevel(fileSyncLevel)
                .maxConcurrentSessions(SESSION_COUNT_MAX)
                .sessionTimeoutNs(TimeUnit.SECONDS.toNanos(10))
                .leaderHeartbeatTimeoutNs(timeouts.detectionNs())
                .leaderHeartbeatIntervalNs(timeouts.heartbeatNs())
                .electionTimeoutNs(timeouts.electionNs())
                .startupCanvassTimeoutNs(timeouts.canvassNs())
                .idleStrategySupplier(ClusterNode::idle)
                .errorHandler(errorHandler);
        driver = ClusteredMediaDriver.launch(media, archive, consensus);
        container = ClusteredServiceContainer.launch(new ClusteredServiceContainer.Context()
                .aeronDirectoryName(this.driverDirectory)
                .archiveContext(local.clone())
                .clusterDir(clusterDirectory)
                .clusteredService(service)
                .idleStrategySupplier(ClusterNode::idle)
                .errorHandler(errorHandler));
    }

    private static MediaDriver.Context media(final String directory, final ErrorHandler errorHandler) {
        return new MediaDriver.Context()
                .aeronDirectoryName(directory)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(idle())
                .termBufferSparseFile(true)
                .mtuLength(MTU_LENGTH)
                .ipcMtuLength(MTU_LENGTH)
                .socketRcvbufLength(SOCKET_LENGTH)
                .socketSndbufLength(SOCKET_LENGTH)
                .initialWindowLength(SOCKET_LENGTH)
                .multicastFlowControlSupplier(new MinMulticastFlowControlSupplier())
                .errorHandler(errorHandler);
    }

    private static IdleStrategy idle() {
        return new BackoffIdleStrategy(10, 10, 1_000, 200_000);
    }

    NodePlace place() {
        return place;
    }

    String driverDirectory() {
        return driverDirectory;
    }

    /** What was applied on this node. */
    AppliedLog applied() {
        return applied;
    }

    boolean isLeader() {
        return service.role() == Cluster.Role.LEADER;
    }

    @Override
    public void close() {
        CloseHelper.quietCloseAll(driver.consensusModule(), container, driver);
    }
}
