package io.penstock.spring;

import io.penstock.client.ClientConfig;

/** Gives the configuration of each client that a program makes. Safe on any thread. */
@FunctionalInterface
public interface ClientConfigSource {
    /** The purpose of the client that templates, listeners and mirrors share. */
    String SHARED = "";

    /**
     * A configuration for one client.
     *
     * @param purpose {@link #SHARED}, or the id of a listener that has a client of its own: the configuration has another
     *                name then, unique while connected, or none, and neither a publish store nor a bookmark store, as one
     *                store serves one client.
     * @return a new one, as stores are closed with their client.
     */
    ClientConfig config(String purpose);

    /**
     * The name of the program, by which its retries are told from those of other programs with the same listeners.
     *
     * @return that of the shared client, the same in each run; empty unless overridden.
     */
    default String name() {
        return "";
    }
}
