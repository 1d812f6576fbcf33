package io.penstock.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TcpEndpointTest {
    @ParameterizedTest
    @CsvSource({
        "tcp://127.0.0.1:9100, 127.0.0.1, 9100, tcp://127.0.0.1:1",
        "tcp://localhost:0, localhost, 0, tcp://localhost:1",
        "tcp://my_host:65535, my_host, 65535, tcp://my_host:1",
        "tcp://[::1]:80, ::1, 80, tcp://[::1]:1",
        "tcp://[2001:db8::7]:80, 2001:db8::7, 80, tcp://[2001:db8::7]:1",
        "tcp://h:80/, h, 80, tcp://h:1",
    })
    void shouldTakeApartWhenWellFormed(final URI uri, final String host, final int port, final URI bound)
            throws IOException {
        final TcpEndpoint endpoint = TcpEndpoint.parse(uri);

        assertThat(endpoint.host()).isEqualTo(host);
        assertThat(endpoint.port()).isEqualTo(port);
        assertThat(endpoint.bound(1)).isEqualTo(bound);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tcp:",
                "tcp:host:1",
                "tcp://host",
                "tcp://host:",
                "tcp://host:x",
                "tcp://host:-1",
                "tcp://host:65536",
                "tcp://:1",
                "tcp://::1:80",
                "udp://host:1",
                "host:1",
                "tcp:///path"
            })
    void shouldRefuseWhenMalformed(final String text) {
        final String legal = text.endsWith(":") ? text + "x" : text;
        final URI uri = URI.create(legal);

        assertThatThrownBy(() -> TcpEndpoint.parse(uri))
                .isInstanceOf(IOException.class)
                .hasMessage("endpoint: not a TCP address: " + legal + " (use tcp://host:port)");
    }

    @Test
    void shouldNameTheHostWhenItIsUnknown() throws IOException {
        final TcpEndpoint endpoint = TcpEndpoint.parse(URI.create("tcp://no..host:1"));

        assertThatThrownBy(endpoint::resolve)
                .isInstanceOf(IOException.class)
                .hasMessage("tcp://no..host:1: unknown host: no..host" + " (correct the name, or use an address)");
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, tcp://127.0.0.1:5", "::1, tcp://[0:0:0:0:0:0:0:1]:5"})
    void shouldWriteAddressesAsEndpoints(final String address, final String text) {
        assertThat(TcpEndpoint.textOf(new InetSocketAddress(address, 5))).isEqualTo(text);
    }
}
