package io.penstock.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import io.penstock.transport.TransportProvider;
import io.penstock.transport.Transports;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NetworkInterface;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the kernel's sockets report, for each way to use them. */
class TcpSocketsTest {
    private final List<Transport> transports = new ArrayList<>();
    private final List<Connection> accepted = new ArrayList<>();

    static Stream<TcpTransportProvider> providers() {
        return TcpTransportProvider.isEpollAvailable()
                ? Stream.of(TcpTransportProvider.nio(), TcpTransportProvider.epoll())
                : Stream.of(TcpTransportProvider.nio());
    }

    @AfterEach
    void close() {
        transports.forEach(Transport::close);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void shouldExplainWhenThePortIsTaken(final TransportProvider provider) throws IOException {
        final URI bound = open(provider).listen(URI.create("tcp://127.0.0.1:0"));

        assertThatThrownBy(() -> open(provider).listen(bound))
                .isInstanceOf(IOException.class)
                .hasMessage(bound + ": cannot listen: address already in use"
                        + " (choose another port, or stop the program that has it)")
                .hasNoCause();
    }

    @ParameterizedTest
    @MethodSource("providers")
    void shouldExplainWhenNobodyListens(final TransportProvider provider) throws IOException {
        final Transport gone = open(provider);
        final URI bound = gone.listen(URI.create("tcp://127.0.0.1:0"));
        gone.close();

        assertThatThrownBy(() -> open(provider).connect(bound))
                .isInstanceOf(ConnectException.class)
                .hasMessage(bound + ": cannot connect: connection refused"
                        + " (start the listener, or correct the address)")
                .hasNoCause();
    }

    @ParameterizedTest
    @MethodSource("providers")
    void shouldExplainWhenTheAddressIsOfAnotherMachine(final TransportProvider provider) throws IOException {
        final Transport transport = open(provider);

        assertThatThrownBy(() -> transport.listen(URI.create("tcp://192.0.2.1:0")))
                .isInstanceOf(IOException.class)
                .hasMessage("tcp://192.0.2.1:0: cannot listen: cannot assign requested address"
                        + " (use an address of this machine)");
    }

    @ParameterizedTest
    @MethodSource("providers")
    void shouldConnectWhenTheAddressIsIpv6(final TransportProvider provider) throws IOException {
        assumeTrue(hasIpv6Loopback());
        final Transport server = open(provider);
        final URI bound = server.listen(URI.create("tcp://[::1]:0"));
        assertThat(bound.toString()).startsWith("tcp://[::1]:");

        final Connection connection = open(provider).connect(bound);
        pollUntilAccepted(server);

        assertThat(connection.isLocal()).isTrue();
        assertThat(connection.peer()).isEqualTo("tcp://[0:0:0:0:0:0:0:1]:" + bound.getPort());
        assertThat(accepted.get(0).isLocal()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("providers")
    void shouldConnectByNameWhenItHasSeveralAddresses(final TransportProvider provider) throws IOException {
        final Transport server = open(provider);
        final URI bound = server.listen(URI.create("tcp://127.0.0.1:0"));

        // Where the name means ::1 as well, nobody listens there.
        final Connection connection = open(provider).connect(URI.create("tcp://localhost:" + bound.getPort()));
        pollUntilAccepted(server);

        assertThat(connection.peer()).isEqualTo("tcp://127.0.0.1:" + bound.getPort());
    }

    @Test
    void shouldFindTheProviderWhenTheSchemeIsTcp() {
        assertThat(Transports.providerFor(URI.create("tcp://h:1"))).isInstanceOf(TcpTransportProvider.class);
    }

    private static boolean hasIpv6Loopback() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .anyMatch(address -> address.isLoopbackAddress() && address instanceof java.net.Inet6Address);
    }

    private void pollUntilAccepted(final Transport server) {
        final long startNs = System.nanoTime();
        while (accepted.isEmpty() && System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(10)) {
            server.poll(1);
        }
        assertThat(accepted).hasSize(1);
    }

    private Transport open(final TransportProvider provider) throws IOException {
        final boolean isServer = transports.isEmpty();
        final Transport transport = provider.open(new TransportContext(
                new TransportHandler() {
                    @Override
                    public void onConnect(final Connection connection) {
                        if (isServer) {
                            accepted.add(connection);
                        }
                    }

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
                },
                TransportContext.FRAME_LENGTH_MAX_DEFAULT,
                TransportContext.CONNECT_TIMEOUT_NS_DEFAULT,
                TransportContext.CONNECTION_LIMIT_DEFAULT,
                new TransportCounters(),
                () -> {},
                throwable -> {
                    throw new AssertionError(throwable);
                }));
        transports.add(transport);
        return transport;
    }
}
