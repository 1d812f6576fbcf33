package io.penstock.broker.filter;

import io.penstock.format.FieldPath;
import io.penstock.format.FieldPath.Step;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Fields given as Java values, for tools and tests that have no encoded message. A value is a {@link Boolean}, a
 * {@link Number} (a {@link Float} or {@link Double} is a double, any other a long), a {@link CharSequence}, a
 * {@link List} of those for an array, a {@link Map} for an object, or null. Confined to one thread; allocates.
 */
public final class TypedProperties implements FieldReader {
    private static final Nothing NOTHING = new Nothing();

    private final List<Slot> slots = new ArrayList<>();

    /**
     * Reads the fields of a set.
     *
     * @param fields to be read, which may not grow afterwards.
     */
    public TypedProperties(final FieldSet fields) {
        for (int i = 0; i < fields.count(); i++) {
            slots.add(new Slot(fields.path(i)));
        }
    }

    /**
     * Moves to other values.
     *
     * @param values by the name of the field.
     */
    public void wrap(final Map<String, ?> values) {
        slots.forEach(slot -> slot.find(values));
    }

    /** Not supported: there are no bytes to read from. */
    @Override
    public void wrap(final DirectBuffer buffer, final int offset, final int length) {
        throw new UnsupportedOperationException("properties: not read from bytes (wrap a map)");
    }

    @Override
    public FieldType type(final int slot) {
        return slots.get(slot).type();
    }

    @Override
    public boolean booleanValue(final int slot) {
        return slots.get(slot).selected() instanceof Boolean value && value;
    }

    @Override
    public long longValue(final int slot) {
        return slots.get(slot).selected() instanceof Number value ? value.longValue() : 0;
    }

    @Override
    public double doubleValue(final int slot) {
        return slots.get(slot).selected() instanceof Number value ? value.doubleValue() : 0;
    }

    @Override
    public DirectBuffer stringBuffer(final int slot) {
        return slots.get(slot).text();
    }

    @Override
    public int stringOffset(final int slot) {
        return 0;
    }

    @Override
    public int stringLength(final int slot) {
        return slots.get(slot).text().capacity();
    }

    @Override
    public int elementCount(final int slot) {
        return slots.get(slot).whole instanceof List<?> list ? list.size() : 0;
    }

    @Override
    public void element(final int slot, final int index) {
        slots.get(slot).index = index;
    }

    /** Found where there is no field. */
    private record Nothing() {}

    /** One field: where it is, and what was found there. */
    private static final class Slot {
        private final FieldPath path;
        private @Nullable Object whole = NOTHING;
        private int index = Step.NO_INDEX;

        Slot(final FieldPath path) {
            this.path = path;
        }

        void find(final Map<String, ?> values) {
            index = Step.NO_INDEX;
            if (path.isHeader()) {
                return;
            }
            whole = values;
            for (final Step step : path.steps()) {
                whole = whole instanceof Map<?, ?> map && map.containsKey(step.name()) ? map.get(step.name()) : NOTHING;
                if (step.index() != Step.NO_INDEX) {
                    whole = whole instanceof List<?> list && step.index() < list.size()
                            ? list.get(step.index())
                            : NOTHING;
                }
            }
        }

        @Nullable
        Object selected() {
            if (index < 0) {
                return whole;
            }
            return whole instanceof List<?> list && index < list.size() ? list.get(index) : NOTHING;
        }

        DirectBuffer text() {
            return new UnsafeBuffer(String.valueOf(selected()).getBytes(StandardCharsets.UTF_8));
        }

        FieldType type() {
            final Object value = selected();
            if (value == null) {
                return FieldType.NULL;
            }
            if (value instanceof Nothing) {
                return FieldType.ABSENT;
            }
            if (value instanceof List) {
                return index < 0 && !isNested() ? FieldType.ARRAY : FieldType.OBJECT;
            }
            if (value instanceof Boolean) {
                return FieldType.BOOLEAN;
            }
            if (value instanceof Number) {
                return value instanceof Double || value instanceof Float ? FieldType.DOUBLE : FieldType.LONG;
            }
            return value instanceof CharSequence ? FieldType.STRING : FieldType.OBJECT;
        }

        /** An array that is itself an element is not walked. */
        private boolean isNested() {
            return path.steps().get(path.steps().size() - 1).index() != Step.NO_INDEX;
        }
    }
}
