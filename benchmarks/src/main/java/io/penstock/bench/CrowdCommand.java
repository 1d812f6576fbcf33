package io.penstock.bench;

import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.LogonAckDecoder;
import io.penstock.protocol.codec.LogonEncoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.SubscribeEncoder;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import io.penstock.transport.Transports;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.Callable;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The process that {@link Crowd} starts: logs many clients on over one transport and lets them be idle. The first one
 * subscribes to everything and never reads a delivery. Ends on command.
 */
@Command(name = CrowdCommand.NAME, hidden = true, description = "Holds idle connections for bench.")
public final class CrowdCommand implements Callable<Integer>, TransportHandler {
    static final String NAME = "bench-crowd";

    private static final int HEARTBEAT_INTERVAL_MS = 3_600_000;
    private static final int CONNECTS_A_POLL = 32;
    private static final long AWAIT_NS = 100_000_000;
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private @Nullable Connection slowReader;
    private int loggedOnCount;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "ENDPOINT", description = "Of the broker.")
    private URI endpoint;

    @Parameters(index = "1", paramLabel = "COUNT", description = "Of connections.")
    private int count;

    @Override
    public Integer call() throws IOException {
        try (Transport transport = Transports.providerFor(endpoint)
                .open(new TransportContext(
                        this,
                        TransportContext.FRAME_LENGTH_MAX_DEFAULT,
                        TransportContext.CONNECT_TIMEOUT_NS_DEFAULT,
                        count + 1,
                        new TransportCounters(),
                        () -> {},
                        error -> {
                            throw CommandFailure.failed("bench-crowd: " + error.getMessage());
                        }))) {
            slowReader = transport.connect(endpoint);
            logOn(slowReader);
            for (int i = 0; i < count; i++) {
                logOn(transport.connect(endpoint));
                if (i % CONNECTS_A_POLL == 0) {
                    transport.poll(Integer.MAX_VALUE);
                }
            }
            while (loggedOnCount <= count) {
                transport.poll(Integer.MAX_VALUE);
                transport.await(AWAIT_NS);
            }
            subscribe(slowReader);
            transport.poll(Integer.MAX_VALUE);
            spec.commandLine().getOut().println(Crowd.READY);
            spec.commandLine().getOut().flush();
            while (!Thread.currentThread().isInterrupted()) {
                transport.poll(Integer.MAX_VALUE);
                transport.await(AWAIT_NS);
            }
        }
        return Main.EXIT_OK;
    }

    @Override
    public void onConnect(final Connection connection) {}

    @Override
    public boolean onFragment(
            final Connection connection,
            final DirectBuffer frame,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        if (FrameHeader.templateId(frame, offset) == LogonAckDecoder.TEMPLATE_ID) {
            loggedOnCount++;
            return true;
        }
        return !connection.equals(slowReader);
    }

    @Override
    public void onDisconnect(final Connection connection, final String reason) {
        if (!connection.equals(slowReader)) {
            throw CommandFailure.failed("bench-crowd: an idle connection was lost: " + reason);
        }
    }

    private void logOn(final Connection connection) {
        final LogonEncoder logon = new LogonEncoder();
        logon.wrapAndApplyHeader(buffer, 0, header)
                .commandId(1)
                .heartbeatIntervalMs(HEARTBEAT_INTERVAL_MS)
                .clientName("")
                .user("")
                .password("")
                .mechanism("")
                .putToken(new byte[0], 0, 0);
        connection.offer(EMPTY, 0, 0, buffer, 0, logon.limit(), 0);
    }

    private void subscribe(final Connection connection) {
        final SubscribeEncoder subscribe = new SubscribeEncoder();
        subscribe
                .wrapAndApplyHeader(buffer, 0, header)
                .commandId(2)
                .subscriptionId(1)
                .conflationMs(0)
                .topN(-1)
                .skipN(0)
                .batchSize(0);
        subscribe.options().clear();
        subscribe.ackTypes().clear();
        subscribe.topic(Subject.TOPIC).filter("").orderBy("").selection("");
        connection.offer(EMPTY, 0, 0, buffer, 0, subscribe.limit(), 0);
    }
}
