package io.penstock.spring.state;

import org.jspecify.annotations.Nullable;

/**
 * Notified of what changes in a mirror, after it has changed. Called on the mirror's own thread, one call after the other;
 * while it runs, the mirror does not follow, and changes of one key are merged. What it throws is logged.
 *
 * @param <K> of the keys.
 * @param <V> of the values.
 */
public interface StateListener<K, V> {
    /**
     * A record is new, or has changed.
     *
     * @param key      of the record.
     * @param previous value; null for a new one.
     * @param value    now.
     */
    void onPut(K key, @Nullable V previous, V value);

    /**
     * A record is gone: deleted, expired, or no longer matched by the filter.
     *
     * @param key      of the record.
     * @param previous value.
     */
    default void onRemove(final K key, final V previous) {}

    /**
     * The state has changed. Of a connection that is lost it is told within a tenth of a second, and not at all when there
     * is another one before.
     *
     * @param state now.
     */
    default void onState(final MirrorState state) {}
}
