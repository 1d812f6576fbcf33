package io.penstock.transport.rdma.verbs;

import java.io.IOException;

/**
 * A device, open for this process: however many transports use it, it is one object, and so is the domain in which memory
 * is registered. Any thread.
 */
public interface VerbsDevice {
    /** The peer may write to the memory; local writing is always allowed. */
    int REMOTE_WRITE = 1;

    /** The peer may read the memory. */
    int REMOTE_READ = 2;

    /**
     * The system's name of it.
     *
     * @return for example {@code rxe0}.
     */
    String name();

    /**
     * The longest piece of memory that can be registered by one call.
     *
     * @return bytes.
     */
    long registrationLengthMax();

    /**
     * Pins memory and registers it with the device. Slow: milliseconds. Only {@code MemoryRegistrar} calls it, which
     * counts and has a budget.
     *
     * @param address of the memory, which stays mapped until the registration is closed.
     * @param length  in bytes.
     * @param access  {@link #REMOTE_WRITE}, {@link #REMOTE_READ}, both, or 0.
     * @return the registration.
     * @throws IOException when the system refuses, with its reason.
     */
    VerbsRegistration register(long address, long length, int access) throws IOException;
}
