package io.penstock.spring.boot.embedded;

import io.penstock.spring.boot.PenstockConnectionDetails;
import io.penstock.spring.boot.PenstockProperties;
import java.util.List;

/** The client goes to the broker of its own process, by its own memory. */
final class EmbeddedConnectionDetails implements PenstockConnectionDetails {
    private final EmbeddedBroker broker;
    private final PenstockProperties properties;

    EmbeddedConnectionDetails(final EmbeddedBroker broker, final PenstockProperties properties) {
        this.broker = broker;
        this.properties = properties;
    }

    @Override
    public List<String> servers() {
        return List.of(broker.endpoints().get(0).toString());
    }

    @Override
    public String user() {
        return properties.user();
    }

    @Override
    public String password() {
        return properties.password();
    }

    @Override
    public String token() {
        return properties.token();
    }
}
