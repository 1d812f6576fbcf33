package io.penstock.format.json;

import io.penstock.format.FieldSelection;
import io.penstock.format.MessageEditor;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/** Checks the arguments of a call, and passes them to the class that does the work. */
final class JsonEditor implements MessageEditor {
    private final JsonOutput output = new JsonOutput();
    private final JsonMerge merge = new JsonMerge(output);
    private final JsonDiff diff = new JsonDiff(output);
    private final JsonCut cut = new JsonCut(output);

    @Override
    public int merge(
            final DirectBuffer message,
            final int offset,
            final int length,
            final DirectBuffer delta,
            final int deltaOffset,
            final int deltaLength,
            final MutableDirectBuffer to,
            final int toOffset,
            final int toLength) {
        output.wrap(to, toOffset, toLength);
        merge.message(message, offset, length);
        merge.delta(delta, deltaOffset, deltaLength);
        merge.write();
        return output.length();
    }

    @Override
    public int diff(
            final DirectBuffer old,
            final int oldOffset,
            final int oldLength,
            final DirectBuffer now,
            final int nowOffset,
            final int nowLength,
            final FieldSelection kept,
            final @Nullable FieldSelection selected,
            final boolean noEmpties,
            final MutableDirectBuffer to,
            final int toOffset,
            final int toLength) {
        output.wrap(to, toOffset, toLength);
        diff.old(old, oldOffset, oldLength);
        diff.now(now, nowOffset, nowLength);
        return diff.write(kept, selected, noEmpties) ? output.length() : 0;
    }

    @Override
    public int select(
            final DirectBuffer message,
            final int offset,
            final int length,
            final FieldSelection kept,
            final FieldSelection selected,
            final boolean noEmpties,
            final MutableDirectBuffer to,
            final int toOffset,
            final int toLength) {
        output.wrap(to, toOffset, toLength);
        diff.now(message, offset, length);
        diff.writeSelected(kept, selected, noEmpties);
        return output.length();
    }

    @Override
    public int cut(
            final DirectBuffer message,
            final int offset,
            final int length,
            final FieldSelection fields,
            final MutableDirectBuffer to,
            final int toOffset,
            final int toLength) {
        output.wrap(to, toOffset, toLength);
        cut.write(message, offset, length, fields);
        return output.length();
    }
}
