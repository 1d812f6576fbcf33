package io.penstock.cluster;

import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusteredMediaDriver;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.NanosecondClusterClock;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.MinMulticastFlowControlSupplier;
import io.aeron.driver.ThreadingMode;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpLock;

/** Aeron's part of a node: media driver, archive, consensus module and service container in this process. Any thread. */
final class ClusterNode implements AutoCloseable {
    private static final int MTU_LENGTH = 8 * 1024;
    private static final int SOCKET_LENGTH = 2 * 1024 * 1024;
    /** A message is an eighth of it at most, so that the longest command fits. */
    private static final String INGRESS_TERM_TEXT = "4m";

    private static final int SESSION_COUNT_MAX = 64;
    private static final long SESSION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long PARK_MIN_NS = 1_000;
    private static final long PARK_MAX_NS = 200_000;

    private final ClusteredMediaDriver driver;
    private final ClusteredServiceContainer container;

    private ClusterNode(final ClusteredMediaDriver driver, final ClusteredServiceContainer container) {
        this.driver = driver;
        this.container = container;
    }

    /**
     * Starts it; it goes on with what is in its directory.
     *
     * @param config       of the node.
     * @param directory    of the node, open.
     * @param service      takes what is committed.
     * @param listener     is told what goes wrong, warnings as {@code ClusterEvent}, and when a part of it ends.
     * @return what runs.
     */
    static ClusterNode start(
            final ClusterConfig config,
            final ClusterDirectory directory,
            final LogService service,
            final NodeListener listener) {
        final ErrorHandler errorHandler = listener::onError;
        final String driverDirectory = config.driverPath().toString();
        final NodePlace place = config.places().get(config.member());
        final Archive.Context archive =
                archive(config, directory, place, driverDirectory).errorHandler(errorHandler);
        final AeronArchive.Context local = new AeronArchive.Context()
                .lock(NoOpLock.INSTANCE)
                .aeronDirectoryName(driverDirectory)
                .controlRequestChannel(archive.localControlChannel())
                .controlRequestStreamId(archive.localControlStreamId())
                .controlResponseChannel(archive.localControlChannel());
        final ConsensusModule.Context consensus = consensus(config, directory, place, driverDirectory)
                .archiveContext(local.clone())
                .terminationHook(() -> listener.onLeave("cluster: the consensus module has ended"))
                .errorHandler(errorHandler);
        final ClusteredMediaDriver driver =
                ClusteredMediaDriver.launch(media(driverDirectory, listener), archive, consensus);
        boolean isStarted = false;
        try {
            final ClusteredServiceContainer container =
                    ClusteredServiceContainer.launch(new ClusteredServiceContainer.Context()
                            .aeronDirectoryName(driverDirectory)
                            .archiveContext(local.clone())
                            .clusterDir(directory.consensus())
                            .clusteredService(service)
                            .idleStrategySupplier(ClusterNode::idle)
                            .terminationHook(() -> listener.onLeave("cluster: the container of the service has ended"))
                            .errorHandler(errorHandler));
            isStarted = true;
            return new ClusterNode(driver, container);
        } finally {
            if (!isStarted) {
                CloseHelper.quietCloseAll(driver.consensusModule(), driver);
            }
        }
    }

    private static MediaDriver.Context media(final String directory, final NodeListener listener) {
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
                .terminationHook(() -> listener.onLeave("cluster: the media driver has ended"))
                .errorHandler(listener::onError);
    }

    private static Archive.Context archive(
            final ClusterConfig config,
            final ClusterDirectory directory,
            final NodePlace place,
            final String driverDirectory) {
        return new Archive.Context()
                .aeronDirectoryName(driverDirectory)
                .archiveDir(directory.archive())
                .controlChannel("aeron:udp?endpoint=" + place.archive())
                .localControlChannel("aeron:ipc?term-length=64k")
                .replicationChannel("aeron:udp?endpoint=" + place.anyPort())
                .recordingEventsEnabled(false)
                .threadingMode(ArchiveThreadingMode.SHARED)
                .idleStrategySupplier(ClusterNode::idle)
                .fileSyncLevel(config.syncLevel())
                .catalogFileSyncLevel(config.syncLevel());
    }

    private static ConsensusModule.Context consensus(
            final ClusterConfig config,
            final ClusterDirectory directory,
            final NodePlace place,
            final String driverDirectory) {
        final ClusterTimeouts timeouts = ClusterTimeouts.ofDetectionMs(config.detectionMs());
        return new ConsensusModule.Context()
                .aeronDirectoryName(driverDirectory)
                .clusterDir(directory.consensus())
                .clusterMemberId(place.member())
                .clusterMembers(NodePlace.members(config.places()))
                // Records have times in nanoseconds.
                .clusterClock(new NanosecondClusterClock())
                .ingressChannel("aeron:udp?term-length=" + INGRESS_TERM_TEXT + "|mtu=" + MTU_LENGTH)
                .logChannel("aeron:udp?term-length=64m|control-mode=manual|mtu=" + MTU_LENGTH + "|control="
                        + place.logControl())
                .replicationChannel("aeron:udp?endpoint=" + place.anyPort())
                .fileSyncLevel(config.syncLevel())
                .maxConcurrentSessions(SESSION_COUNT_MAX)
                .sessionTimeoutNs(SESSION_TIMEOUT_NS)
                .leaderHeartbeatTimeoutNs(timeouts.detectionNs())
                .leaderHeartbeatIntervalNs(timeouts.heartbeatNs())
                .electionTimeoutNs(timeouts.electionNs())
                .startupCanvassTimeoutNs(timeouts.canvassNs())
                .idleStrategySupplier(ClusterNode::idle);
    }

    /** Of a session through which this node hands over commands, without a listener. */
    static AeronCluster.Context session(final ClusterConfig config, final ErrorHandler errorHandler) {
        final NodePlace place = config.places().get(config.member());
        return new AeronCluster.Context()
                .aeronDirectoryName(config.driverPath().toString())
                .ingressChannel("aeron:udp?term-length=" + INGRESS_TERM_TEXT + "|mtu=" + MTU_LENGTH)
                .ingressEndpoints(NodePlace.ingresses(config.places()))
                .egressChannel("aeron:udp?endpoint=" + place.anyPort())
                .messageTimeoutNs(CONNECT_TIMEOUT_NS)
                .errorHandler(errorHandler);
    }

    /** How threads of a node wait. */
    static IdleStrategy idle() {
        return new BackoffIdleStrategy(10, 10, PARK_MIN_NS, PARK_MAX_NS);
    }

    @Override
    public void close() {
        CloseHelper.quietCloseAll(driver.consensusModule(), container, driver);
    }
}
