package io.penstock.transport.rdma.verbs;

import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * The devices of this machine as one transport uses them: listeners, connections, events, and two things to wait on.
 * Control methods are for the control thread, {@link #awaitCompletions} is for the agent, wake-ups are for any thread.
 */
public interface Verbs extends AutoCloseable {
    /**
     * The longest private data that travels with a connect, an accept or a reject, in bytes; what arrives may have zeros
     * behind it.
     */
    int PRIVATE_LENGTH_MAX = 48;

    /**
     * Which provider this is.
     *
     * @return {@link VerbsProvider#name()}.
     */
    String name();

    /**
     * Starts to listen. Control.
     *
     * @param address of this machine; port 0 means any that is free.
     * @param backlog requests that may wait to be heard of.
     * @return the listener.
     * @throws IOException when the address is taken, or belongs to no RDMA device; with reason and remedy.
     */
    VerbsListener listen(InetSocketAddress address, int backlog) throws IOException;

    /**
     * Starts to find the way to a peer: which device, which route. Ends with {@link VerbsHandler#onResolved} or {@link
     * VerbsHandler#onFailed}. Control.
     *
     * @param peer      an address, not a name.
     * @param timeoutMs the longest time for each step, in milliseconds.
     * @return the endpoint, which can do nothing yet but be closed.
     * @throws IOException when it fails at once.
     */
    VerbsEndpoint resolve(InetSocketAddress peer, int timeoutMs) throws IOException;

    /**
     * Reports events to the handler. Does not wait. Control.
     *
     * @param handler called in the order of events; never for an endpoint that was closed.
     * @param limit   the most events to report.
     * @return how many there were.
     */
    int pollEvents(VerbsHandler handler, int limit);

    /**
     * Waits until there is an event, until woken, or until the time is up; may end early. Control.
     *
     * @param timeoutNs in nanoseconds; negative for no limit.
     */
    void awaitEvents(long timeoutNs);

    /** Ends the present or the next {@link #awaitEvents}. Any thread. */
    void wakeupEvents();

    /**
     * Waits until an endpoint whose queue is armed has a completion, until woken, or until the time is up; may end early.
     * Agent. When it ends each queue that had a completion is not armed any more; others may have lost it, too, and say so
     * in {@link VerbsEndpoint#isArmed()}.
     *
     * @param timeoutNs in nanoseconds; negative for no limit.
     */
    void awaitCompletions(long timeoutNs);

    /** Ends the present or the next {@link #awaitCompletions}. Any thread. */
    void wakeupCompletions();

    /** Ends everything; endpoints and listeners are closed before. Control, when the agent calls nothing any more. */
    @Override
    void close();
}
