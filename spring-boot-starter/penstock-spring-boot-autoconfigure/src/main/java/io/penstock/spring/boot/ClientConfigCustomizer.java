package io.penstock.spring.boot;

import io.penstock.client.ClientConfig;

/** Changes the client's configuration after the properties. Beans of this type are called in their order, once. */
@FunctionalInterface
public interface ClientConfigCustomizer {
    /**
     * Changes the configuration.
     *
     * @param builder with what the properties say.
     */
    void customize(ClientConfig.Builder builder);
}
