package io.penstock.spring.endpoint;

/** A bean that adds listeners by program, or chooses what all listeners are called with. */
@FunctionalInterface
public interface PenstockListenerConfigurer {
    /**
     * Configures listeners. Called once, after all singletons were made.
     *
     * @param registrar to be told.
     */
    void configurePenstockListeners(PenstockListenerEndpointRegistrar registrar);
}
