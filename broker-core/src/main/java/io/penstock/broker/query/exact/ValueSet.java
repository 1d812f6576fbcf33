package io.penstock.broker.query.exact;

import io.penstock.broker.filter.Expression;
import io.penstock.broker.filter.value.Numbers;
import org.agrona.collections.Long2LongCounterMap;
import org.agrona.collections.Object2LongCounterMap;
import org.jspecify.annotations.Nullable;

/**
 * The different values of an argument in a group, as a group by tells them apart: numbers by value, so that 1.0 is 1, texts
 * by their bytes. NULL is none. Each is kept with how often it was added, so that it goes when it was taken away as often.
 * Confined to one agent. Allocates when a value comes that is not there, and not otherwise.
 */
public final class ValueSet {
    /** What a number takes, in bytes, about. */
    private static final int NUMBER_LENGTH = 48;

    /** Of a text beside its own bytes. */
    private static final int TEXT_LENGTH = 112;

    private static final float LOAD_FACTOR = 0.6f;
    private static final int CAPACITY_INITIAL = 8;

    /** A table so many times as long as it needs to be is replaced by a shorter one. */
    private static final int SPARSE_FACTOR = 8;

    private static final int SPARSE_CAPACITY_MIN = 128;

    private final ValueRoom room;
    private long trueCount;
    private long falseCount;

    /** By what the room's stir puts in their place. */
    private @Nullable Long2LongCounterMap integers;

    /** By their bits, stirred; such as are no integers of 64 bits. */
    private @Nullable Long2LongCounterMap reals;

    private @Nullable Object2LongCounterMap<TextKey> texts;
    private @Nullable TextKey probe;

    /**
     * Makes it, empty.
     *
     * @param room that the values of all groups take their memory of.
     */
    public ValueSet(final ValueRoom room) {
        this.room = room;
    }

    /**
     * How many different values there are.
     *
     * @return count.
     */
    public long count() {
        return (trueCount > 0 ? 1L : 0)
                + (falseCount > 0 ? 1 : 0)
                + (integers == null ? 0 : integers.size())
                + (reals == null ? 0 : reals.size())
                + (texts == null ? 0 : texts.size());
    }

    /**
     * Adds the value that an expression has.
     *
     * @param value evaluated.
     */
    public void add(final Expression value) {
        switch (value.type()) {
            case NULL -> {}
            case BOOLEAN -> addBoolean(value.booleanValue(), 1);
            case LONG -> add(value.longValue());
            case DOUBLE -> add(value.doubleValue());
            case TEXT -> addText(shown(value), 1);
        }
    }

    /**
     * Adds an integer.
     *
     * @param number the integer.
     */
    public void add(final long number) {
        addInteger(number, 1);
    }

    /**
     * Adds a double.
     *
     * @param number that is finite.
     */
    public void add(final double number) {
        if (Numbers.isLong(number)) {
            addInteger((long) number, 1);
        } else {
            addReal(Double.doubleToRawLongBits(number), 1);
        }
    }

    private void addBoolean(final boolean value, final long count) {
        if (value) {
            trueCount += count;
        } else {
            falseCount += count;
        }
    }

    private void addInteger(final long number, final long count) {
        if (integers == null) {
            integers = newNumbers();
        }
        take(integers.getAndAdd(room.stir().stirred(number), count));
    }

    private void addReal(final long bits, final long count) {
        if (reals == null) {
            reals = newNumbers();
        }
        take(reals.getAndAdd(room.stir().stirred(bits), count));
    }

    private static Long2LongCounterMap newNumbers() {
        return new Long2LongCounterMap(CAPACITY_INITIAL, LOAD_FACTOR, 0);
    }

    private void take(final long countBefore) {
        if (countBefore == 0) {
            room.take(NUMBER_LENGTH);
        }
    }

    private void addText(final TextKey text, final long count) {
        if (texts == null) {
            texts = new Object2LongCounterMap<>(CAPACITY_INITIAL, LOAD_FACTOR, 0);
        }
        if (texts.get(text) != 0) {
            texts.addAndGet(text, count);
        } else {
            texts.put(text.copy(), count);
            room.take(TEXT_LENGTH + text.length());
        }
    }

    private TextKey shown(final Expression value) {
        if (probe == null) {
            probe = new TextKey();
        }
        return probe.show(value.textBuffer(), value.textOffset(), value.textLength());
    }

    /**
     * Takes the value away that an expression has.
     *
     * @param value evaluated.
     * @throws IllegalStateException when it was not added as often.
     */
    public void remove(final Expression value) {
        switch (value.type()) {
            case NULL -> {}
            case BOOLEAN -> {
                requirePresent(value.booleanValue() ? trueCount : falseCount);
                addBoolean(value.booleanValue(), -1);
            }
            case LONG -> removeNumber(integers, value.longValue());
            case DOUBLE -> {
                final double number = value.doubleValue();
                if (Numbers.isLong(number)) {
                    removeNumber(integers, (long) number);
                } else {
                    removeNumber(reals, Double.doubleToRawLongBits(number));
                }
            }
            case TEXT -> removeText(shown(value));
        }
    }

    private static void requirePresent(final long count) {
        if (count <= 0) {
            throw new IllegalStateException("aggregation: removed a message that was not added");
        }
    }

    private void removeNumber(final @Nullable Long2LongCounterMap numbers, final long number) {
        final long key = room.stir().stirred(number);
        requirePresent(numbers == null ? 0 : numbers.get(key));
        if (numbers != null && numbers.decrementAndGet(key) == 0) {
            room.give(NUMBER_LENGTH);
            if (isSparse(numbers.capacity(), numbers.size())) {
                numbers.compact();
            }
        }
    }

    private void removeText(final TextKey text) {
        requirePresent(texts == null ? 0 : texts.get(text));
        if (texts != null && texts.decrementAndGet(text) == 0) {
            room.give(TEXT_LENGTH + text.length());
            if (isSparse(texts.capacity(), texts.size())) {
                texts.compact();
            }
        }
    }

    private static boolean isSparse(final int capacity, final int size) {
        return capacity >= SPARSE_CAPACITY_MIN && size < capacity / SPARSE_FACTOR;
    }

    /**
     * Adds all values of another set, which stays as it is, until there is no room.
     *
     * @param other of the same agent by now.
     */
    public void addAll(final ValueSet other) {
        trueCount += other.trueCount;
        falseCount += other.falseCount;
        if (other.integers != null) {
            other.integers.forEach((key, count) -> {
                if (!room.isFull()) {
                    addInteger(other.room.stir().number(key), count);
                }
            });
        }
        if (other.reals != null) {
            other.reals.forEach((key, count) -> {
                if (!room.isFull()) {
                    addReal(other.room.stir().number(key), count);
                }
            });
        }
        if (other.texts != null) {
            other.texts.forEach((text, count) -> {
                if (!room.isFull()) {
                    addText(text, count);
                }
            });
        }
    }
}
