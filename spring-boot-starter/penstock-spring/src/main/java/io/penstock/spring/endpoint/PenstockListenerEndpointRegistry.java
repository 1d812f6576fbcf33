package io.penstock.spring.endpoint;

import io.penstock.spring.PenstockConnection;
import io.penstock.spring.PenstockPhases;
import io.penstock.spring.listener.ListenerStartException;
import io.penstock.spring.listener.PenstockListenerContainer;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/** The containers of all declared listeners, started and stopped with the context. Safe on any thread. */
public final class PenstockListenerEndpointRegistry implements SmartLifecycle, DisposableBean {
    /** The name of the bean. */
    public static final String BEAN_NAME = "penstockListenerEndpointRegistry";

    /** A listener, and the connection whose store notes how far it is. */
    private record Durable(PenstockConnection connection, PenstockListenerEndpoint endpoint) {}

    private final Object lock = new Object();
    private final Map<String, Durable> durables = new HashMap<>();
    private final Map<String, PenstockListenerContainer> containers = new LinkedHashMap<>();
    private boolean isRunning;

    /**
     * Makes a container of a listener, and starts it if this registry has been started.
     *
     * @param endpoint the listener.
     * @param factory  that makes the container.
     * @return the container.
     * @throws ListenerStartException when its id is taken, an attribute is wrong, or the broker refuses it.
     */
    public PenstockListenerContainer register(
            final PenstockListenerEndpoint endpoint, final PenstockListenerContainerFactory factory) {
        final PenstockListenerContainer container = factory.createContainer(endpoint);
        final boolean isToStart;
        synchronized (lock) {
            if (containers.containsKey(endpoint.id())) {
                throw new ListenerStartException(
                        endpoint.description(),
                        "id",
                        "is taken by another listener: " + endpoint.id() + " (give each its own id)",
                        null);
            }
            checkDurable(endpoint, factory);
            durables.put(endpoint.id(), new Durable(factory.getConnection(), endpoint));
            containers.put(endpoint.id(), container);
            isToStart = isRunning && container.isAutoStartup();
        }
        if (isToStart) {
            start(container);
        }
        return container;
    }

    /** One that cannot be started leaves its id free; one that was unregistered meanwhile does not run. */
    private void start(final PenstockListenerContainer container) {
        try {
            container.start();
        } catch (final RuntimeException e) {
            forget(container);
            throw e;
        }
        if (!container.equals(getContainer(container.getListenerId()))) {
            container.stop();
        }
    }

    private void forget(final PenstockListenerContainer container) {
        synchronized (lock) {
            if (containers.remove(container.getListenerId(), container)) {
                durables.remove(container.getListenerId());
            }
        }
    }

    /** Two listeners with one name note in one place how far they are: each would miss what the other has processed. */
    private void checkDurable(final PenstockListenerEndpoint endpoint, final PenstockListenerContainerFactory factory) {
        final String name = endpoint.subscription().durable();
        for (final Durable other : durables.values()) {
            if (!name.isEmpty()
                    && name.equals(other.endpoint().subscription().durable())
                    && other.connection().equals(factory.getConnection())) {
                throw new ListenerStartException(
                        endpoint.description(),
                        "durable",
                        "is the name of another listener, too: " + name + ", of "
                                + other.endpoint().description() + " (give each its own, or let one method do both)",
                        null);
            }
        }
    }

    /**
     * Stops a container and forgets it.
     *
     * @param id of the listener.
     * @return whether there was one.
     */
    public boolean unregister(final String id) {
        final PenstockListenerContainer container;
        synchronized (lock) {
            durables.remove(id);
            container = containers.remove(id);
        }
        if (container == null) {
            return false;
        }
        container.stop();
        return true;
    }

    /**
     * Finds a container.
     *
     * @param id of its listener.
     * @return null when there is none.
     */
    public @Nullable PenstockListenerContainer getContainer(final String id) {
        synchronized (lock) {
            return containers.get(id);
        }
    }

    /**
     * All containers.
     *
     * @return in the order in which they were registered.
     */
    public Collection<PenstockListenerContainer> getContainers() {
        synchronized (lock) {
            return List.copyOf(containers.values());
        }
    }

    @Override
    public void start() {
        synchronized (lock) {
            isRunning = true;
        }
        for (final PenstockListenerContainer container : getContainers()) {
            if (container.isAutoStartup()) {
                container.start();
            }
        }
    }

    @Override
    public void stop() {
        final CountDownLatch stopped = new CountDownLatch(1);
        stop(stopped::countDown);
        try {
            stopped.await();
        } catch (final InterruptedException e) {
            // They go on to stop, each within its time.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop(final Runnable callback) {
        synchronized (lock) {
            isRunning = false;
        }
        final Collection<PenstockListenerContainer> all = getContainers();
        final AtomicInteger running = new AtomicInteger(all.size());
        if (all.isEmpty()) {
            callback.run();
        }
        all.forEach(container -> container.stop(() -> {
            if (running.decrementAndGet() == 0) {
                callback.run();
            }
        }));
    }

    @Override
    public boolean isRunning() {
        synchronized (lock) {
            return isRunning;
        }
    }

    @Override
    public int getPhase() {
        return PenstockPhases.LISTENERS;
    }

    @Override
    public void destroy() {
        stop();
    }
}
