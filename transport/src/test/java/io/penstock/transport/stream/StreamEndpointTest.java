package io.penstock.transport.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StreamEndpointTest {
    private static final StreamMedium TCP = StreamMedium.plain("tcp");

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
        final StreamEndpoint endpoint = StreamEndpoint.parse(uri, TCP);

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

        assertThatThrownBy(() -> StreamEndpoint.parse(uri, TCP))
                .isInstanceOf(IOException.class)
                .hasMessage("endpoint: not a host and a port: " + legal + " (use tcp://host:port)");
    }

    @Test
    void shouldTakeOptionsWhenTheMediumHasThem() throws IOException {
        final StreamMedium medium =
                new StreamMedium("smc", Set.of("fallback=tcp"), 65_536, (socket, endpoint) -> "smc");

        final StreamEndpoint endpoint = StreamEndpoint.parse(URI.create("smc://h:80?fallback=tcp&unit=4096"), medium);

        assertThat(endpoint.options()).containsEntry("fallback", "tcp");
        assertThat(endpoint.sendLengthMax(medium)).isEqualTo(4096);
        assertThat(endpoint.bound(1)).isEqualTo(URI.create("smc://h:1?fallback=tcp&unit=4096"));
        assertThat(StreamEndpoint.parse(URI.create("smc://h:80"), medium).sendLengthMax(medium))
                .isEqualTo(65_536);
        for (final String unit : new String[] {"1023", "65537", "64k", ""}) {
            assertThatThrownBy(() -> StreamEndpoint.parse(URI.create("smc://h:80?unit=" + unit), medium))
                    .hasMessage("endpoint: unit is out of range: " + unit + " of smc://h:80?unit=" + unit
                            + " (use 1024 to 65536 bytes)");
        }
        assertThatThrownBy(() -> StreamEndpoint.parse(URI.create("smc://h:80?fallback=yes"), medium))
                .hasMessage("endpoint: an option is not known: fallback=yes of smc://h:80?fallback=yes"
                        + " (use fallback=tcp, unit=BYTES)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp://h:80?unit=4096", "tcp://h:80?x", "tcp://h:80?"})
    void shouldRefuseOptionsWhenTheMediumHasNone(final URI uri) {
        assertThatThrownBy(() -> StreamEndpoint.parse(uri, TCP))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("an option is not known: ")
                .hasMessageEndingWith(" of " + uri + " (use none)");
    }

    @Test
    void shouldNameTheHostWhenItIsUnknown() throws IOException {
        final StreamEndpoint endpoint = StreamEndpoint.parse(URI.create("tcp://no..host:1"), TCP);

        assertThatThrownBy(endpoint::resolve)
                .isInstanceOf(IOException.class)
                .hasMessage("tcp://no..host:1: unknown host: no..host" + " (correct the name, or use an address)");
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, tcp://127.0.0.1:5", "::1, tcp://[0:0:0:0:0:0:0:1]:5"})
    void shouldWriteAddressesAsEndpoints(final String address, final String text) {
        assertThat(StreamEndpoint.textOf("tcp", new InetSocketAddress(address, 5)))
                .isEqualTo(text);
    }
}
