package io.penstock.broker.agent;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.Connection;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import java.io.IOException;
import java.net.URI;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

class IoTransportsTest {
    private static final TransportHandler NOBODY = new TransportHandler() {
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
            return true;
        }

        @Override
        public void onDisconnect(final Connection connection, final String reason) {}
    };

    @Test
    void shouldRefuseATransportThatCannotShareTheWaitWhenThereIsAnother() {
        assertThatThrownBy(() -> open("lonely:x", "tcp://127.0.0.1:0"))
                .isInstanceOf(IOException.class)
                .hasMessage("listen: endpoints of schemes [lonely, tcp] cannot share an I/O agent (use threading"
                        + " DEDICATED with an ioAgentCount of 2 or more)");
    }

    @Test
    void shouldTakeATransportThatCannotShareTheWaitWhenTheOthersWakeIt() {
        assertThatThrownBy(() -> open("lonely:x", "inproc:io-transports-test")).hasMessage("lonely: opened");
    }

    private static void open(final String... endpoints) throws IOException {
        try (IoTransports transports = new IoTransports()) {
            transports.open(
                    Stream.of(endpoints).map(URI::create).toList(),
                    (scheme, loop) -> new TransportContext(
                            NOBODY,
                            TransportContext.FRAME_LENGTH_MAX_DEFAULT,
                            TransportContext.CONNECT_TIMEOUT_NS_DEFAULT,
                            1,
                            new TransportCounters(),
                            () -> {},
                            loop,
                            ex -> {}));
        }
    }
}
