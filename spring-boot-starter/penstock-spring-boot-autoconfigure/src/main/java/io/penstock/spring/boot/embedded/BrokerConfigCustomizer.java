package io.penstock.spring.boot.embedded;

import io.penstock.broker.BrokerConfig;

/** Changes the configuration of an embedded broker after the properties. Beans of this type are called in their order, once. */
@FunctionalInterface
public interface BrokerConfigCustomizer {
    /**
     * Changes the configuration.
     *
     * @param builder with what the properties say.
     */
    void customize(BrokerConfig.Builder builder);
}
