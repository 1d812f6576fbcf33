package io.penstock.transport.tls;

import org.jspecify.annotations.Nullable;

/**
 * Brings another engine than that of the JDK. Found by {@link java.util.ServiceLoader}, with a constructor without arguments
 * that needs no library: those that are missing are named by {@link #whyNot}. Any thread.
 */
public interface TlsEngineProvider {
    /**
     * Whether the libraries that it needs are on the class path, though it may not be possible to use them.
     *
     * @return true when somebody seems to want it.
     */
    boolean isPresent();

    /**
     * Why there can be no engines of it.
     *
     * @param material that they are to be made of.
     * @return the reason and the remedy, for people; null when there can.
     */
    @Nullable
    String whyNot(TlsMaterial material);

    /**
     * Makes what makes engines.
     *
     * @param material for which {@link #whyNot} has no reason.
     * @return engines that do what the material says.
     * @throws TlsException when its library does not take the material.
     */
    TlsEngines open(TlsMaterial material) throws TlsException;
}
