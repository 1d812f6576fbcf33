package io.penstock.format.json;

import io.penstock.format.FieldPath;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import java.util.ArrayList;
import java.util.List;

/** Fields as text, so that tests can compare and print them, and paths from text. */
final class FieldTexts {
    private FieldTexts() {}

    static FieldPath path(final String text) {
        final List<FieldPath.Step> steps = new ArrayList<>();
        for (final String step : text.split("/", -1)) {
            final int bracket = step.indexOf('[');
            steps.add(
                    bracket < 0
                            ? new FieldPath.Step(step, FieldPath.Step.NO_INDEX)
                            : new FieldPath.Step(
                                    step.substring(0, bracket),
                                    Integer.parseInt(step.substring(bracket + 1, step.length() - 1))));
        }
        return new FieldPath(steps);
    }

    static FieldSet fields(final String... paths) {
        final FieldSet fields = new FieldSet();
        for (final String path : paths) {
            fields.slotOf(path(path));
        }
        return fields;
    }

    /** For example {@code LONG 1}, {@code STRING <x{9}y>} or {@code ARRAY [NULL, OBJECT]}. */
    static String value(final FieldReader reader, final int slot) {
        final String type = reader.type(slot).name();
        return switch (reader.type(slot)) {
            case BOOLEAN -> type + ' ' + reader.booleanValue(slot);
            case LONG -> type + ' ' + reader.longValue(slot);
            case DOUBLE -> type + ' ' + reader.doubleValue(slot);
            case STRING, UNTYPED -> type + ' ' + shown(string(reader, slot));
            case ARRAY -> type + ' ' + elements(reader, slot);
            case ABSENT, NULL, OBJECT -> type;
        };
    }

    private static String string(final FieldReader reader, final int slot) {
        return reader.stringBuffer(slot)
                .getStringWithoutLengthUtf8(reader.stringOffset(slot), reader.stringLength(slot));
    }

    /** The text with control characters as their code in hexadecimal between braces. */
    static String shown(final String text) {
        final StringBuilder shown = new StringBuilder("<");
        for (int i = 0; i < text.length(); i++) {
            final char c = text.charAt(i);
            shown.append(c < ' ' ? '{' + Integer.toHexString(c) + '}' : String.valueOf(c));
        }
        return shown.append('>').toString();
    }

    private static List<String> elements(final FieldReader reader, final int slot) {
        final List<String> elements = new ArrayList<>();
        final int count = reader.elementCount(slot);
        for (int i = 0; i < count; i++) {
            reader.element(slot, i);
            elements.add(value(reader, slot));
        }
        reader.element(slot, -1);
        return elements;
    }
}
