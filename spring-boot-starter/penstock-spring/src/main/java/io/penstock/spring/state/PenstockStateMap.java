package io.penstock.spring.state;

import io.penstock.spring.LogText;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A live mirror of the records of a topic. It cannot be changed by the program; the mirror's thread changes it while others
 * read. Iterators see the records of one moment or a later one, and never fail. Safe on any thread.
 *
 * @param <K> of the keys.
 * @param <V> of the values.
 */
public final class PenstockStateMap<K, V> extends AbstractMap<K, V> {
    private static final Log LOG = LogFactory.getLog(PenstockStateMap.class);

    private final String name;
    private final List<StateListener<? super K, ? super V>> listeners = new CopyOnWriteArrayList<>();
    private final Supplier<MirrorState> state;
    private volatile Map<K, V> records = new ConcurrentHashMap<>();
    private final AtomicLong failureCount = new AtomicLong();

    PenstockStateMap(final String name, final Supplier<MirrorState> state) {
        this.name = name;
        this.state = state;
    }

    /**
     * How it stands to its topic at this moment.
     *
     * @return {@link MirrorState#LIVE} when it follows.
     */
    public MirrorState state() {
        return state.get();
    }

    /**
     * How many records could not be converted, or had a key that became that of another one in the map, and were therefore left
     * out. Each was logged; one that changes or comes again counts again.
     *
     * @return since it was made.
     */
    public long failureCount() {
        return failureCount.get();
    }

    /**
     * Adds who is notified of changes from now on.
     *
     * @param listener called on the mirror's thread.
     */
    public void addListener(final StateListener<? super K, ? super V> listener) {
        listeners.add(listener);
    }

    /**
     * Removes who was notified.
     *
     * @param listener that was added.
     */
    public void removeListener(final StateListener<? super K, ? super V> listener) {
        listeners.remove(listener);
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
        return Collections.unmodifiableMap(records).entrySet();
    }

    @Override
    public @Nullable V get(final Object key) {
        return records.get(key);
    }

    @Override
    public boolean containsKey(final Object key) {
        return records.containsKey(key);
    }

    @Override
    public int size() {
        return records.size();
    }

    /** Called by the mirror's thread, as all below. */
    void onPut(final K key, final V value) {
        final V previous = records.put(key, value);
        notify(listener -> listener.onPut(key, previous, value));
    }

    void onRemove(final K key) {
        final V previous = records.remove(key);
        if (previous != null) {
            notify(listener -> listener.onRemove(key, previous));
        }
    }

    /** All records have come again: listeners are notified of what is different. */
    void onLoaded(final Map<K, V> loaded) {
        final Map<K, V> before = records;
        records = new ConcurrentHashMap<>(loaded);
        if (listeners.isEmpty()) {
            return;
        }
        before.forEach((key, previous) -> {
            if (!loaded.containsKey(key)) {
                notify(listener -> listener.onRemove(key, previous));
            }
        });
        loaded.forEach((key, value) -> {
            final V previous = before.get(key);
            if (!value.equals(previous)) {
                notify(listener -> listener.onPut(key, previous, value));
            }
        });
    }

    void onState(final MirrorState now) {
        notify(listener -> listener.onState(now));
    }

    void onFailure() {
        failureCount.incrementAndGet();
    }

    private void notify(final Consumer<StateListener<? super K, ? super V>> call) {
        for (final StateListener<? super K, ? super V> listener : listeners) {
            try {
                call.accept(listener);
            } catch (final RuntimeException | LinkageError | AssertionError e) {
                LOG.error(name + ": a listener of its changes has failed: " + LogText.of(e), e);
            }
        }
    }
}
