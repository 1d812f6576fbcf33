package io.penstock.broker.filter.program;

import io.penstock.broker.filter.regex.Utf8;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.TextSearch;
import io.penstock.broker.filter.value.Texts;
import io.penstock.format.FieldType;
import org.agrona.DirectBuffer;

/** Functions of texts, which count in code points; of anything else they are NULL. */
final class TextFunctions {
    private TextFunctions() {}

    private static boolean areTexts(final Register[] arguments) {
        for (final Register argument : arguments) {
            if (!argument.isText()) {
                return false;
            }
        }
        return true;
    }

    static void concat(final Evaluation evaluation, final Register[] arguments, final Register target) {
        if (!areTexts(arguments)) {
            target.setNull();
            return;
        }
        evaluation.arena().begin();
        for (final Register argument : arguments) {
            evaluation.arena().append(argument);
        }
        evaluation.arena().end(target);
    }

    static void length(final Evaluation evaluation, final Register[] arguments, final Register target) {
        final Register text = arguments[0];
        if (text.isText()) {
            target.set((long) Utf8.count(text.buffer(), text.offset(), text.length()));
        } else {
            target.setNull();
        }
    }

    /** Where a text first stands in another, from 1, or 0. */
    static void instr(final Evaluation evaluation, final Register[] arguments, final Register target) {
        if (!areTexts(arguments)) {
            target.setNull();
            return;
        }
        final Register text = arguments[0];
        final int found = Texts.indexOf(text, arguments[1]);
        target.set(found < 0 ? 0L : Utf8.count(text.buffer(), text.offset(), found) + 1L);
    }

    static void lower(final Evaluation evaluation, final Register[] arguments, final Register target) {
        mapCase(evaluation, arguments[0], false, target);
    }

    static void upper(final Evaluation evaluation, final Register[] arguments, final Register target) {
        mapCase(evaluation, arguments[0], true, target);
    }

    private static void mapCase(
            final Evaluation evaluation, final Register text, final boolean isUpper, final Register target) {
        if (!text.isText()) {
            target.setNull();
            return;
        }
        final TextArena arena = evaluation.arena();
        final DirectBuffer buffer = text.buffer();
        final int end = text.offset() + text.length();
        arena.begin();
        int at = text.offset();
        while (at < end) {
            final int next = Utf8.next(buffer, at, end);
            final int point = Utf8.codePoint(buffer, at, next);
            if (Character.isValidCodePoint(point)) {
                arena.appendCodePoint(isUpper ? Character.toUpperCase(point) : Character.toLowerCase(point));
            } else {
                arena.append(buffer, at, next - at);
            }
            at = next;
        }
        arena.end(target);
    }

    /** Without spaces at either end. */
    static void trim(final Evaluation evaluation, final Register[] arguments, final Register target) {
        final Register text = arguments[0];
        if (!text.isText()) {
            target.setNull();
            return;
        }
        int start = text.offset();
        int end = start + text.length();
        while (start < end && text.buffer().getByte(start) == ' ') {
            start++;
        }
        while (start < end && text.buffer().getByte(end - 1) == ' ') {
            end--;
        }
        target.set(text.buffer(), start, end - start);
    }

    static void replace(final Evaluation evaluation, final Register[] arguments, final Register target) {
        if (!areTexts(arguments)) {
            target.setNull();
            return;
        }
        final Register text = arguments[0];
        final Register part = arguments[1];
        if (part.length() == 0) {
            target.set(text.buffer(), text.offset(), text.length());
            return;
        }
        final TextArena arena = evaluation.arena();
        final long factors = TextSearch.factors(part.buffer(), part.offset(), part.length());
        final int end = text.offset() + text.length();
        arena.begin();
        int at = text.offset();
        while (true) {
            final int found =
                    TextSearch.find(text.buffer(), at, end, part.buffer(), part.offset(), part.length(), factors);
            arena.append(text.buffer(), at, (found < 0 ? end : found) - at);
            if (found < 0 || arena.isOverflown()) {
                break;
            }
            arena.append(arguments[2]);
            at = found + part.length();
        }
        arena.end(target);
    }

    /** The part from a position, 1 being the first and -1 the last, of all the rest or of a count of code points. */
    static void substr(final Evaluation evaluation, final Register[] arguments, final Register target) {
        final Register text = arguments[0];
        final boolean hasCount = arguments.length > 2;
        if (!text.isText()
                || arguments[1].numberType() != FieldType.LONG
                || (hasCount && arguments[2].numberType() != FieldType.LONG)) {
            target.setNull();
            return;
        }
        final DirectBuffer buffer = text.buffer();
        final int end = text.offset() + text.length();
        final long position = arguments[1].longValue();
        final int from = position < 0
                ? back(buffer, end, text.offset(), position)
                : forward(buffer, text.offset(), end, position - 1);
        final int to = hasCount ? forward(buffer, from, end, arguments[2].longValue()) : end;
        target.set(buffer, from, to - from);
    }

    private static int forward(final DirectBuffer buffer, final int from, final int end, final long count) {
        int at = from;
        for (long i = 0; i < count && at < end; i++) {
            at = Utf8.next(buffer, at, end);
        }
        return at;
    }

    private static int back(final DirectBuffer buffer, final int from, final int start, final long negativeCount) {
        int at = from;
        for (long i = 0; i > negativeCount && at > start; i--) {
            at = Utf8.previous(buffer, at, start);
        }
        return at;
    }
}
