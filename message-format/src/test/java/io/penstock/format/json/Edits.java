package io.penstock.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.FieldSelection;
import io.penstock.format.MessageEditor;
import io.penstock.format.MessageValidator;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Edits of messages given as text; what comes out must be valid, and must not fit when it has a byte less. */
final class Edits {
    static final String TOO_LONG = "too long";

    private static final int MARGIN = 5;

    private final MessageEditor editor = new JsonFormat().newEditor();
    private final MessageValidator validator = new JsonFormat().newValidator();

    /** An edit that writes to the offset 5 of a buffer. */
    private interface Edit {
        int write(UnsafeBuffer to, int length);
    }

    private String result(final Edit edit, final int capacity) {
        final UnsafeBuffer to = new UnsafeBuffer(new byte[capacity + 2 * MARGIN]);
        to.setMemory(0, to.capacity(), (byte) 'x');
        final int length = edit.write(to, capacity);
        for (int i = 0; i < MARGIN; i++) {
            assertThat(to.getByte(i)).isEqualTo((byte) 'x');
            assertThat(to.getByte(MARGIN + capacity + i)).isEqualTo((byte) 'x');
        }
        if (length == MessageEditor.TOO_LONG) {
            return TOO_LONG;
        }
        final String text = to.getStringWithoutLengthUtf8(MARGIN, length);
        if (length > 0) {
            assertThat(validator.validate(to, MARGIN, length)).as(text).isNull();
            if (length == capacity) {
                assertThat(edit.write(to, length - 1)).as(text).isEqualTo(MessageEditor.TOO_LONG);
            } else {
                assertThat(result(edit, length)).isEqualTo(text);
            }
        }
        return text;
    }

    private UnsafeBuffer message(final String text) {
        final byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[utf8.length + 2 * MARGIN]);
        buffer.setMemory(0, buffer.capacity(), (byte) '"');
        buffer.putBytes(MARGIN, utf8);
        assertThat(validator.validate(buffer, MARGIN, utf8.length)).as(text).isNull();
        return buffer;
    }

    private static int length(final UnsafeBuffer message) {
        return message.capacity() - 2 * MARGIN;
    }

    String merge(final String text, final String deltaText) {
        final UnsafeBuffer message = message(text);
        final UnsafeBuffer delta = message(deltaText);
        return result(
                (to, length) -> editor.merge(
                        message, MARGIN, length(message), delta, MARGIN, length(delta), to, MARGIN, length),
                length(message) + length(delta) + MARGIN);
    }

    String diff(final String oldText, final String nowText, final String kept) {
        return diff(oldText, nowText, kept, null, false);
    }

    String diff(
            final String oldText,
            final String nowText,
            final String kept,
            final @Nullable String selected,
            final boolean noEmpties) {
        final UnsafeBuffer old = message(oldText);
        final UnsafeBuffer now = message(nowText);
        final FieldSelection keptFields = selection(kept);
        final FieldSelection selectedFields = selected == null ? null : selection(selected);
        return result(
                (to, length) -> editor.diff(
                        old,
                        MARGIN,
                        length(old),
                        now,
                        MARGIN,
                        length(now),
                        keptFields,
                        selectedFields,
                        noEmpties,
                        to,
                        MARGIN,
                        length),
                4 * (length(old) + length(now)) + MARGIN);
    }

    String select(final String text, final String selected, final boolean noEmpties) {
        return select(text, "", selected, noEmpties);
    }

    String select(final String text, final String kept, final String selected, final boolean noEmpties) {
        final UnsafeBuffer message = message(text);
        return result(
                (to, length) -> editor.select(
                        message,
                        MARGIN,
                        length(message),
                        selection(kept),
                        selection(selected),
                        noEmpties,
                        to,
                        MARGIN,
                        length),
                length(message) + MARGIN);
    }

    static FieldSelection selection(final String text) {
        return text.isEmpty() ? FieldSelection.NONE : FieldSelection.parse(text);
    }
}
