package io.penstock.spring.state;

import io.penstock.spring.PenstockConnection;
import io.penstock.spring.PenstockPhases;
import io.penstock.spring.convert.MessageMapper;
import io.penstock.spring.listener.ListenerStartException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.context.SmartLifecycle;
import org.springframework.messaging.converter.MessageConverter;

/**
 * The mirrors of a program. They are loaded while the context starts, before what has a default phase, and stopped after
 * it. Equal requests share a mirror. Safe on any thread.
 */
public final class StateMirrors implements SmartLifecycle {
    /** The name of the bean. */
    public static final String BEAN_NAME = "penstockStateMirrors";

    private final PenstockConnection connection;
    private final MessageMapper mapper;
    private final Map<MirrorRequest, StateMirror> mirrors = new LinkedHashMap<>();
    private boolean isRunning;

    /**
     * Makes it, without mirrors.
     *
     * @param connection that its client comes from.
     * @param converter  of payloads.
     */
    public StateMirrors(final PenstockConnection connection, final MessageConverter converter) {
        this.connection = connection;
        mapper = new MessageMapper(converter);
    }

    /**
     * A mirror, made when it is asked for first. When the context has started, it is loaded at once.
     *
     * @param request     what it holds.
     * @param description of who needs it, for errors: a field, for example.
     * @return the map, empty until the context starts.
     * @throws ListenerStartException when it is to be loaded at once, and cannot.
     */
    public PenstockStateMap<?, ?> mirror(final MirrorRequest request, final String description) {
        final StateMirror mirror;
        final boolean isToLoad;
        synchronized (mirrors) {
            mirror = mirrors.computeIfAbsent(
                    request, wanted -> new StateMirror(description, connection, wanted, mapper));
            isToLoad = isRunning && mirror.state() == MirrorState.STOPPED;
        }
        if (isToLoad) {
            load(List.of(mirror));
        }
        return mirror.map();
    }

    /**
     * All maps.
     *
     * @return in the order in which they were asked for first.
     */
    public Map<MirrorRequest, PenstockStateMap<?, ?>> maps() {
        final Map<MirrorRequest, PenstockStateMap<?, ?>> maps = new LinkedHashMap<>();
        synchronized (mirrors) {
            mirrors.forEach((request, mirror) -> maps.put(request, mirror.map()));
        }
        return maps;
    }

    private Collection<StateMirror> all() {
        synchronized (mirrors) {
            return List.copyOf(mirrors.values());
        }
    }

    /**
     * Loads all mirrors, and waits for them. When one fails, all are stopped.
     *
     * @throws ListenerStartException when one cannot be loaded, or not in time; it names who needs it.
     */
    @Override
    public void start() {
        synchronized (mirrors) {
            isRunning = true;
        }
        try {
            load(all());
        } catch (final ListenerStartException e) {
            synchronized (mirrors) {
                isRunning = false;
            }
            throw e;
        }
    }

    /** When one cannot be loaded, all of them are stopped. */
    private static void load(final Collection<StateMirror> loaded) {
        boolean isLoaded = false;
        try {
            loaded.forEach(StateMirror::start);
            loaded.forEach(StateMirror::awaitLoaded);
            isLoaded = true;
        } finally {
            if (!isLoaded) {
                loaded.forEach(StateMirror::stop);
            }
        }
    }

    @Override
    public void stop() {
        synchronized (mirrors) {
            isRunning = false;
        }
        all().forEach(StateMirror::stop);
    }

    @Override
    public boolean isRunning() {
        synchronized (mirrors) {
            return isRunning;
        }
    }

    @Override
    public int getPhase() {
        return PenstockPhases.STATE;
    }
}
