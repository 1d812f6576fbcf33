package io.penstock.spring.boot;

import java.util.List;

/** Where the broker is as the properties have it. */
final class PropertiesConnectionDetails implements PenstockConnectionDetails {
    private final PenstockProperties properties;

    PropertiesConnectionDetails(final PenstockProperties properties) {
        this.properties = properties;
    }

    @Override
    public List<String> servers() {
        return properties.servers();
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
