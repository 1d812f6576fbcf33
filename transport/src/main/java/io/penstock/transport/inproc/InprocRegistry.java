package io.penstock.transport.inproc;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The names that are listened on. Safe on any thread. */
final class InprocRegistry {
    /** The one of this process: agents that know nothing of each other but a name meet here. */
    static final InprocRegistry PROCESS = new InprocRegistry();

    private final ConcurrentHashMap<String, InprocListener> listenerByName = new ConcurrentHashMap<>();

    /** Returns false when the name is taken. */
    boolean add(final InprocListener listener) {
        return listenerByName.putIfAbsent(listener.name(), listener) == null;
    }

    void remove(final InprocListener listener) {
        listenerByName.remove(listener.name(), listener);
    }

    @Nullable
    InprocListener find(final String name) {
        return listenerByName.get(name);
    }
}
