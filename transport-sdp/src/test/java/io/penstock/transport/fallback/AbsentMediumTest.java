package io.penstock.transport.fallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import io.penstock.transport.stream.StreamMedium;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A medium that this machine has not. */
class AbsentMediumTest implements TransportHandler {
    private static final StreamMedium MEDIUM =
            new StreamMedium("smc", Set.of(Fallback.OPTION), 65_536, (socket, endpoint) -> "smc");

    private final TransportCounters counters = new TransportCounters();
    private final Transport transport = open(counters);
    private int fragmentCount;

    private Transport open(final TransportCounters of) {
        try {
            return new AbsentTransport(
                    new TransportContext(
                            this,
                            TransportContext.FRAME_LENGTH_MAX_DEFAULT,
                            5_000_000_000L,
                            10,
                            of,
                            () -> {},
                            error -> {
                                throw new AssertionError(error);
                            }),
                    MEDIUM,
                    "there is none",
                    "load it");
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void begin() {
        fragmentCount = 0;
    }

    @AfterEach
    void close() {
        transport.close();
    }

    @Test
    void shouldSayWhatIsMissingWhenTcpIsNotAskedFor() {
        assertThatThrownBy(() -> transport.listen(URI.create("smc://127.0.0.1:0")))
                .isInstanceOf(IOException.class)
                .hasMessage("smc://127.0.0.1:0: there is none (load it, or let TCP do with ?fallback=tcp)");
        assertThatThrownBy(() -> transport.connect(URI.create("smc://127.0.0.1:9?unit=4096")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("smc://127.0.0.1:9?unit=4096: there is none (");
        assertThat(counters.fallbacks()).isZero();
    }

    @Test
    void shouldRefuseWhenTheFallbackIsNotKnown() {
        assertThatThrownBy(() -> transport.listen(URI.create("smc://127.0.0.1:0?fallback=udp")))
                .isInstanceOf(IOException.class)
                .hasMessage("endpoint: an option is not known: fallback=udp of smc://127.0.0.1:0?fallback=udp"
                        + " (use fallback=tcp, unit=BYTES)");
    }

    @Test
    void shouldUseTcpAndCountItWhenItIsAskedFor() throws IOException {
        final URI bound = transport.listen(URI.create("smc://127.0.0.1:0?fallback=tcp"));
        assertThat(bound.toString()).startsWith("smc://127.0.0.1:").endsWith("?fallback=tcp");

        final Connection connection = transport.connect(bound);

        assertThat(connection.peer()).startsWith("tcp://");
        assertThat(counters.fallbacks()).isEqualTo(2);
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[10]);
        assertThat(connection.offer(frame, 0, 0, frame, 0, 10, 0)).isEqualTo(10);
        while (fragmentCount == 0) {
            transport.poll(10);
        }
    }

    @Override
    public void onConnect(final Connection connection) {}

    @Override
    public boolean onFragment(
            final Connection connection,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        fragmentCount++;
        return true;
    }

    @Override
    public void onDisconnect(final Connection connection, final String reason) {}
}
