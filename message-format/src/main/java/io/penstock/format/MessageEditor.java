package io.penstock.format;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages of messages: changes merged into a message, the changes between two, a part of one. Confined to one
 * agent; allocates nothing once warm. What goes in are validated messages, what comes out is one; bytes of the inputs are
 * copied as they stand. The target may not overlap the inputs. What it can do, {@link MessageFormat#editorSupport} says.
 *
 * <p>Of several members of a name in one object the first counts, as it does for a {@link FieldReader}. A message that is
 * no object has no members: a merge into it, or with it, replaces the whole, and so does a difference.
 */
public interface MessageEditor {
    /** The result does not fit: nothing useful was written. */
    int TOO_LONG = -1;

    /** Most bytes by which the result of a merge, or of a selection, may be longer than its input. */
    int LENGTH_MARGIN = 64;

    /**
     * Merges a delta into a message: members of objects are merged recursively, everything else (scalars, arrays, null)
     * is replaced, new members are appended.
     *
     * @param message     buffer holding the message.
     * @param offset      of the message.
     * @param length      of the message in bytes.
     * @param delta       buffer holding the delta.
     * @param deltaOffset of the delta.
     * @param deltaLength of the delta in bytes.
     * @param to          buffer to write to.
     * @param toOffset    of the result.
     * @param toLength    bytes that the result may have.
     * @return the length of the result in bytes, or {@link #TOO_LONG}.
     */
    int merge(
            DirectBuffer message,
            int offset,
            int length,
            DirectBuffer delta,
            int deltaOffset,
            int deltaLength,
            MutableDirectBuffer to,
            int toOffset,
            int toLength);

    /**
     * Writes the fields of a message that differ from the message before, and with them the kept ones, changed or not;
     * merged into the former message, they give the new one with nulls in place of removed fields. Objects are compared
     * member by member, strings by their characters, everything else by its text; a removed member becomes null, unless
     * it was null. Changed members stand in the order of the message, and behind them what is gone.
     *
     * @param old       buffer holding the message before.
     * @param oldOffset of the message before.
     * @param oldLength of the message before in bytes.
     * @param now       buffer holding the message.
     * @param nowOffset of the message.
     * @param nowLength of the message in bytes.
     * @param kept      fields that are there even when they did not change.
     * @param selected  the only fields to be looked at, with the kept ones, or null for all; then a message that is no
     *                  object has nothing to look at.
     * @param noEmpties whether to leave out members whose new value is null, an empty text, array or object, or an
     *                  object of nothing else; kept fields stay.
     * @param to        buffer to write to.
     * @param toOffset  of the result.
     * @param toLength  bytes that the result may have.
     * @return the length of the result in bytes, 0 when nothing changed, or {@link #TOO_LONG}.
     */
    int diff(
            DirectBuffer old,
            int oldOffset,
            int oldLength,
            DirectBuffer now,
            int nowOffset,
            int nowLength,
            FieldSelection kept,
            @Nullable FieldSelection selected,
            boolean noEmpties,
            MutableDirectBuffer to,
            int toOffset,
            int toLength);

    /**
     * Writes only the selected and the kept fields of a message, in the message's order, with their nesting kept. Objects of which
     * nothing is selected are left out; when nothing at all is, the result is an empty object.
     *
     * @param message   buffer holding the message.
     * @param offset    of the message.
     * @param length    of the message in bytes.
     * @param kept      fields that are there even when they are empty.
     * @param selected  fields.
     * @param noEmpties whether to leave out members that are null, an empty text, array or object, or an object of nothing
     *                  else; kept fields stay.
     * @param to        buffer to write to.
     * @param toOffset  of the result.
     * @param toLength  bytes that the result may have.
     * @return the length of the result in bytes, or {@link #TOO_LONG}.
     */
    int select(
            DirectBuffer message,
            int offset,
            int length,
            FieldSelection kept,
            FieldSelection selected,
            boolean noEmpties,
            MutableDirectBuffer to,
            int toOffset,
            int toLength);

    /**
     * Writes a message without some fields, whatever they are: each member of a name, not the first alone, and of each element
     * where a path meets an array. What is left is in the message's order, and an object of which everything was cut is
     * empty. The result is never longer than the message.
     *
     * @param message  buffer holding the message.
     * @param offset   of the message.
     * @param length   of the message in bytes.
     * @param cut      fields that are left out.
     * @param to       buffer to write to.
     * @param toOffset of the result.
     * @param toLength bytes that the result may have.
     * @return the length of the result in bytes, or {@link #TOO_LONG}.
     */
    default int cut(
            final DirectBuffer message,
            final int offset,
            final int length,
            final FieldSelection cut,
            final MutableDirectBuffer to,
            final int toOffset,
            final int toLength) {
        throw new UnsupportedOperationException("editor: cannot cut");
    }
}
