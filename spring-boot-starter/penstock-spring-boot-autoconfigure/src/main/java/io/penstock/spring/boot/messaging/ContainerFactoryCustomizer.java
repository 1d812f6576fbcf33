package io.penstock.spring.boot.messaging;

import io.penstock.spring.endpoint.PenstockListenerContainerFactory;

/** Changes the factory of listeners' containers after the properties. Beans of this type are called in their order, once. */
@FunctionalInterface
public interface ContainerFactoryCustomizer {
    /**
     * Changes the factory.
     *
     * @param factory with what the properties say.
     */
    void customize(PenstockListenerContainerFactory factory);
}
