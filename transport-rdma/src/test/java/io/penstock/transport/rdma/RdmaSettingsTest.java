package io.penstock.transport.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.Transports;
import io.penstock.transport.rdma.verbs.Verbs;
import io.penstock.transport.rdma.verbs.VerbsProvider;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be set, how endpoints are written, and which provider is taken. */
class RdmaSettingsTest {
    @Test
    void shouldTakeTheDefaultsWhenNothingIsSet() {
        assertThat(RdmaConfig.of(new Properties())).isEqualTo(FakeTransportTest.config());
    }

    @ParameterizedTest
    @CsvSource({
        "penstock.rdma.slots, 3, penstock.rdma.slots: out of range: 3 (use 4 to 1024)",
        "penstock.rdma.memory, 1g, penstock.rdma.memory: not a number: 1g (use for example 1073741824)",
        "penstock.rdma.memory, 0, penstock.rdma.memory: too small: 0 (use for example 1073741824)",
        "penstock.rdma.spin, -1, penstock.rdma.spin: negative: -1 (use 0 for none)"
    })
    void shouldRefuseWhenASettingCannotBe(final String name, final String value, final String message) {
        final Properties properties = new Properties();
        properties.setProperty(name, value);

        assertThatThrownBy(() -> RdmaConfig.of(properties)).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({
        "rdma://10.0.0.1:9100, 10.0.0.1, 9100",
        "rdma://node_7:0, node_7, 0",
        "rdma://[fe80::1]:1, fe80::1, 1",
    })
    void shouldTakeAnEndpointApartWhenItIsOne(final String text, final String host, final int port) throws IOException {
        final RdmaEndpoint endpoint = RdmaEndpoint.parse(URI.create(text));

        assertThat(endpoint.host()).isEqualTo(host);
        assertThat(endpoint.port()).isEqualTo(port);
        assertThat(endpoint.bound(port)).isEqualTo(URI.create(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"rdma:name", "rdma://host", "rdma://host:x", "rdma://host:65536", "tcp://host:1", "rdma://::1:1"
            })
    void shouldSayHowWhenAnEndpointIsNone(final String text) {
        assertThatThrownBy(() -> RdmaEndpoint.parse(URI.create(text)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("(use rdma://host:port");
    }

    @Test
    void shouldBeFoundWhenTheSchemeIsAskedFor() {
        assertThat(Transports.providerFor(URI.create("rdma://host:1"))).isInstanceOf(RdmaTransportProvider.class);
    }

    @Test
    void shouldNameTheReasonOfEachWhenNoProviderWorks() {
        assertThatThrownBy(() -> open(RdmaConfig.AUTO))
                .isInstanceOf(IOException.class)
                .hasMessage("rdma: no provider of verbs works here: shim: no device; other: no library");
        assertThatThrownBy(() -> open("other")).hasMessage("no library");
        assertThatThrownBy(() -> open("third"))
                .hasMessage("penstock.rdma.verbs: no such provider: third (use auto or one of [other, shim])");
    }

    private static void open(final String name) throws IOException {
        final RdmaConfig config = new RdmaConfig(name, 4, 1 << 20, 0);
        new RdmaTransportProvider(
                        () -> config, () -> List.of(broken("other", "no library"), broken("shim", "no device")))
                .open(new TransportContext(
                        new Nobody(), 65536, 1, 1, new TransportCounters(), () -> {}, Throwable::printStackTrace));
    }

    private static VerbsProvider broken(final String name, final String reason) {
        return new VerbsProvider() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Verbs open() throws IOException {
                throw new IOException(reason);
            }
        };
    }
}
