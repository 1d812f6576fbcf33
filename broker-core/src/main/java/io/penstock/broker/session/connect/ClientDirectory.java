package io.penstock.broker.session.connect;

import io.penstock.broker.session.client.ClientProfile;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The owners of clients' names, over all I/O agents: one client at a time has a name, the newest that asked for it.
 * Safe on any thread; used only when clients connect and disconnect. Bounded by the sessions of all I/O agents.
 */
public final class ClientDirectory {
    private final ConcurrentHashMap<String, Holder> holders = new ConcurrentHashMap<>();

    /**
     * Takes a name.
     *
     * @param user   who logs on; names are unique for each user.
     * @param name   of the client.
     * @param holder that has it from now on.
     * @return who had it before, or null.
     */
    @Nullable
    Holder take(final String user, final String name, final Holder holder) {
        return holders.put(ClientProfile.publisherName(user, name), holder);
    }

    /** Whether a client has a name. */
    boolean isTaken(final String user, final String name) {
        return holders.containsKey(ClientProfile.publisherName(user, name));
    }

    /** Gives a name back, unless another client has taken it. */
    void giveBack(final String user, final String name, final Holder holder) {
        holders.remove(ClientProfile.publisherName(user, name), holder);
    }

    /**
     * A client.
     *
     * @param ioAgent   index of its I/O agent.
     * @param sessionId of its session.
     */
    record Holder(int ioAgent, long sessionId) {}
}
