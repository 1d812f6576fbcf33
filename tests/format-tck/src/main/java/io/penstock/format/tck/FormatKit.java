package io.penstock.format.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.FieldPath;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageValidator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the kits have in common: the samples of a format, and a validator and a reader of all their fields. */
abstract class FormatKit {
    /** Offsets in a buffer that messages are tried at. */
    static final int OFFSETS = 17;

    final TestedFormat tested;
    final List<FormatSample> samples;
    final FieldSet fields = new FieldSet();
    final MessageValidator validator;
    final FieldReader reader;

    /** Takes the fields of all samples together. */
    FormatKit(final TestedFormat tested) {
        this.tested = tested;
        samples = tested.samples();
        fields.slotOf(FieldPath.of("field of no sample"));
        samples.forEach(sample -> sample.addTo(fields));
        validator = format().newValidator();
        reader = format().newReader(fields);
    }

    final MessageFormat format() {
        return tested.format();
    }

    final @Nullable String validate(final Placement placement) {
        return validator.validate(placement.buffer(), placement.offset(), placement.length());
    }

    static void wrap(final FieldReader reader, final Placement placement) {
        reader.wrap(placement.buffer(), placement.offset(), placement.length());
    }

    final void check(final FieldReader checked, final Placement placement, final FormatSample sample) {
        wrap(checked, placement);
        for (int slot = 0; slot < fields.count(); slot++) {
            checkSlot(checked, slot, sample);
        }
    }

    final void checkSlot(final FieldReader checked, final int slot, final FormatSample sample) {
        assertThat(value(checked, slot))
                .as("%s: %s", fields.path(slot), sample)
                .isEqualTo(sample.value(fields.path(slot)));
    }

    final List<Object> values(final FieldReader read, final Placement placement) {
        wrap(read, placement);
        final List<Object> values = new ArrayList<>();
        for (int slot = 0; slot < fields.count(); slot++) {
            values.add(value(read, slot));
        }
        return values;
    }

    static Object value(final FieldReader read, final int slot) {
        return switch (read.type(slot)) {
            case BOOLEAN -> read.booleanValue(slot);
            case LONG -> read.longValue(slot);
            case DOUBLE -> read.doubleValue(slot);
            case STRING, UNTYPED ->
                read.stringBuffer(slot).getStringWithoutLengthUtf8(read.stringOffset(slot), read.stringLength(slot));
            case ARRAY -> elements(read, slot);
            case ABSENT -> FieldType.ABSENT;
            case NULL -> FieldType.NULL;
            case OBJECT -> FieldType.OBJECT;
        };
    }

    private static List<Object> elements(final FieldReader read, final int slot) {
        final List<Object> elements = new ArrayList<>();
        final int count = read.elementCount(slot);
        for (int i = 0; i < count; i++) {
            read.element(slot, i);
            elements.add(value(read, slot));
        }
        read.element(slot, -1);
        return elements;
    }
}
