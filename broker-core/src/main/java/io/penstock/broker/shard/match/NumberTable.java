package io.penstock.broker.shard.match;

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A map of values by numbers. Many values lie in sections, each of which grows by itself: all of them are never moved
 * at once, and one more value costs about the same however many there are. Confined to one agent.
 *
 * @param <V> of one kind.
 */
public final class NumberTable<V> {
    /** Most entries that are moved at once. */
    private static final int WHOLE_COUNT_MAX = 256;

    private static final int SECTION_BITS = 8;
    private static final int CAPACITY_INITIAL = 8;
    private static final float LOAD_FACTOR = 0.65f;
    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

    private Long2ObjectHashMap<V> whole = newMap();

    /** Null while there are few. */
    private Long2ObjectHashMap<V> @Nullable [] sections;

    private int size;

    /** Makes it, without anything. */
    public NumberTable() {}

    /**
     * How many things there are.
     *
     * @return count.
     */
    public int size() {
        return size;
    }

    /**
     * Whether there is nothing.
     *
     * @return true when the size is 0.
     */
    public boolean isEmpty() {
        return size == 0;
    }

    /**
     * Finds a thing.
     *
     * @param number of it.
     * @return what was put, or null.
     */
    public @Nullable V get(final long number) {
        return section(number).get(number);
    }

    /**
     * Whether there is a thing of a number.
     *
     * @param number of it.
     * @return true when it was put and not removed.
     */
    public boolean containsKey(final long number) {
        return get(number) != null;
    }

    /**
     * Puts a thing in the place of the one that has its number.
     *
     * @param number of it.
     * @param value  that is put.
     * @return what had the number, or null.
     */
    public @Nullable V put(final long number, final V value) {
        if (sections == null && size == WHOLE_COUNT_MAX) {
            divide();
        }
        final V before = section(number).put(number, value);
        size += before == null ? 1 : 0;
        return before;
    }

    /**
     * Removes a thing.
     *
     * @param number of it.
     * @return what had the number, or null.
     */
    public @Nullable V remove(final long number) {
        final V removed = section(number).remove(number);
        if (removed != null && --size == 0 && sections != null) {
            sections = null;
        }
        return removed;
    }

    /**
     * Hands over all things, in no order.
     *
     * @param handler that changes nothing here.
     */
    public void forEach(final Consumer<V> handler) {
        final Long2ObjectHashMap<V>[] all = sections;
        if (all == null) {
            whole.values().forEach(handler);
            return;
        }
        for (final Long2ObjectHashMap<V> section : all) {
            section.values().forEach(handler);
        }
    }

    /**
     * Whether something is true of all things.
     *
     * @param condition that changes nothing here.
     * @return true when it is true of each, and when there is none.
     */
    public boolean allMatch(final Predicate<V> condition) {
        final Long2ObjectHashMap<V>[] all = sections;
        if (all == null) {
            return whole.values().stream().allMatch(condition);
        }
        for (final Long2ObjectHashMap<V> section : all) {
            if (!section.values().stream().allMatch(condition)) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private void divide() {
        final Long2ObjectHashMap<V>[] made = new Long2ObjectHashMap[1 << SECTION_BITS];
        for (int i = 0; i < made.length; i++) {
            made[i] = newMap();
        }
        sections = made;
        whole.forEachLong((number, value) -> section(number).put(number, value));
        whole = newMap();
    }

    private Long2ObjectHashMap<V> section(final long number) {
        final Long2ObjectHashMap<V>[] all = sections;
        return all == null ? whole : all[(int) ((number * HASH_FACTOR) >>> (Long.SIZE - SECTION_BITS))];
    }

    private static <V> Long2ObjectHashMap<V> newMap() {
        return new Long2ObjectHashMap<>(CAPACITY_INITIAL, LOAD_FACTOR);
    }
}
