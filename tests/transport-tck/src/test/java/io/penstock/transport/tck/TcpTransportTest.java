package io.penstock.transport.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.Transports;
import io.penstock.transport.tcp.TcpTransportProvider;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** TCP as it is found, with whichever Netty is on the class path, or none. */
class TcpTransportTest extends SocketTransportTck {
    private static final URI ENDPOINT = URI.create("tcp://127.0.0.1:0");

    @Override
    protected TransportProvider provider() {
        return Transports.providerFor(ENDPOINT);
    }

    @Override
    protected URI endpoint() {
        return ENDPOINT;
    }

    /** The build says it for each Netty that it runs this with. */
    @Test
    void shouldUseEpollWithAVersionThatFits() {
        assumeTrue(
                System.getProperty("os.arch").equals("amd64"), "the build gives it Netty's native library of x86-64");
        final String expected = System.getProperty("penstock.tcp.epoll", "true");
        assertThat(TcpTransportProvider.isEpollAvailable()).isEqualTo(Boolean.parseBoolean(expected));
    }
}
