package io.penstock.broker.filter.value;

import io.penstock.format.FieldType;
import org.agrona.collections.LongHashSet;
import org.jspecify.annotations.Nullable;

/** IN with literals: whether a value is one of a set, in constant time however long the list. */
public final class SetTest implements ValueTest {
    private final TextSet texts;

    /** Null when there is none, as of lists of texts. */
    private @Nullable LongHashSet longs;

    /** Bits of the doubles that are no integers of 64 bits; null when there is none. */
    private @Nullable LongHashSet realBits;

    private boolean hasTrue;
    private boolean hasFalse;

    public SetTest(final Register[] constants) {
        texts = new TextSet(constants);
        for (final Register constant : constants) {
            add(constant);
        }
    }

    private void add(final Register constant) {
        switch (constant.type()) {
            case LONG -> longs = with(longs, constant.longValue());
            case DOUBLE -> add(constant.doubleValue());
            case BOOLEAN -> {
                hasTrue |= constant.booleanValue();
                hasFalse |= !constant.booleanValue();
            }
            default -> {}
        }
    }

    private void add(final double value) {
        if (Numbers.isLong(value)) {
            longs = with(longs, (long) value);
        } else {
            realBits = with(realBits, Double.doubleToLongBits(value));
        }
    }

    private static LongHashSet with(final @Nullable LongHashSet known, final long value) {
        final LongHashSet set = known == null ? new LongHashSet() : known;
        set.add(value);
        return set;
    }

    private static boolean has(final @Nullable LongHashSet set, final long value) {
        return set != null && set.contains(value);
    }

    @Override
    public int truth(final Register value) {
        return switch (value.type()) {
            case STRING -> Truth.of(texts.contains(value));
            case LONG -> Truth.of(has(longs, value.longValue()));
            case DOUBLE -> Truth.of(containsReal(value.doubleValue()));
            case BOOLEAN -> Truth.of(value.booleanValue() ? hasTrue : hasFalse);
            case UNTYPED -> untyped(value);
            default -> Truth.UNKNOWN;
        };
    }

    private boolean containsReal(final double value) {
        return Numbers.isLong(value) ? has(longs, (long) value) : has(realBits, Double.doubleToLongBits(value));
    }

    /** An untyped text is unknown where it cannot be read as what the list has. */
    private int untyped(final Register value) {
        if (texts.contains(value)) {
            return Truth.TRUE;
        }
        int truth = Truth.FALSE;
        if (longs != null || realBits != null) {
            truth = Math.max(truth, number(value));
        }
        if (hasTrue || hasFalse) {
            truth = Math.max(truth, condition(value));
        }
        return truth;
    }

    private int number(final Register value) {
        final FieldType type = value.numberType();
        if (type == FieldType.LONG) {
            return Truth.of(has(longs, value.longValue()));
        }
        return type == FieldType.DOUBLE ? Truth.of(containsReal(value.doubleValue())) : Truth.UNKNOWN;
    }

    private int condition(final Register value) {
        final int condition = Comparing.condition(value);
        return condition == Truth.UNKNOWN ? Truth.UNKNOWN : Truth.of(condition == Truth.TRUE ? hasTrue : hasFalse);
    }
}
