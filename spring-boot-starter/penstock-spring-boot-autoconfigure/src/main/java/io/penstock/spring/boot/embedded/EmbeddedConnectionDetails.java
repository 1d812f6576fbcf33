package io.penstock.spring.boot.embedded;

import io.penstock.spring.boot.PenstockConnectionDetails;
import java.util.List;

/** The client goes to the broker of its own process, by its own memory. */
final class EmbeddedConnectionDetails implements PenstockConnectionDetails {
    private final EmbeddedBroker broker;
    private final String user;
    private final String password;

    EmbeddedConnectionDetails(final EmbeddedBroker broker, final String user, final String password) {
        this.broker = broker;
        this.user = user;
        this.password = password;
    }

    @Override
    public List<String> servers() {
        return List.of(broker.endpoints().get(0).toString());
    }

    @Override
    public String user() {
        return user;
    }

    @Override
    public String password() {
        return password;
    }
}
