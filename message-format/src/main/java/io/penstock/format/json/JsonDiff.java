package io.penstock.format.json;

import io.penstock.format.FieldNode;
import io.penstock.format.FieldSelection;
import io.penstock.format.FieldSet;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes what differs between two messages, or what is selected of one. What is to be written of a value is said by two
 * nodes, of the kept and of the selected fields: {@link #ALL} for all of it, null for nothing, else what the node's
 * members say.
 */
final class JsonDiff {
    private static final int NONE = JsonMembers.NONE;
    private static final FieldNode ALL = FieldNode.rootOf(new FieldSet());

    private final JsonOutput output;
    private final JsonMembers old = new JsonMembers();
    private final JsonMembers now = new JsonMembers();
    private final JsonNames names = new JsonNames();
    private boolean isWithoutEmpties;
    private boolean isChanged;

    JsonDiff(final JsonOutput output) {
        this.output = output;
    }

    void old(final DirectBuffer buffer, final int offset, final int length) {
        old.wrap(buffer, offset, length);
    }

    void now(final DirectBuffer buffer, final int offset, final int length) {
        now.wrap(buffer, offset, length);
    }

    /** Writes what differs, and returns whether anything does. */
    boolean write(final FieldSelection kept, final @Nullable FieldSelection selected, final boolean noEmpties) {
        isWithoutEmpties = noEmpties;
        isChanged = false;
        final int oldStart = old.bytes().skipSpace(0);
        final int nowStart = now.bytes().skipSpace(0);
        final int oldEnd = old.bytes().skipValue(oldStart);
        final int nowEnd = now.bytes().skipValue(nowStart);
        if (areSame(oldStart, oldEnd, nowStart, nowEnd)) {
            return false;
        }
        final FieldNode node = selected == null ? ALL : selected.root();
        final boolean isObject = now.bytes().at(nowStart) == '{';
        if (isObject && old.bytes().at(oldStart) == '{') {
            object(oldStart, nowStart, kept.root(), node);
            return isChanged;
        }
        if (isObject) {
            return copy(now, nowStart, nowEnd, kept.root(), node) || (node == ALL && emptyObject());
        }
        if (node == ALL) {
            output.put(now.bytes(), nowStart, nowEnd);
        }
        return node == ALL;
    }

    void writeSelected(final FieldSelection kept, final FieldSelection selected, final boolean noEmpties) {
        isWithoutEmpties = noEmpties;
        final int start = now.bytes().skipSpace(0);
        if (now.bytes().at(start) != '{' || !copy(now, start, NONE, kept.root(), selected.root())) {
            emptyObject();
        }
    }

    private boolean emptyObject() {
        output.position(0);
        output.put('{');
        output.put('}');
        return true;
    }

    /** Whether two values have the same text, or are strings of the same characters. */
    private boolean areSame(final int oldStart, final int oldEnd, final int nowStart, final int nowEnd) {
        if (JsonNames.areSameBytes(old.bytes(), oldStart, oldEnd, now.bytes(), nowStart, nowEnd)) {
            return true;
        }
        return old.bytes().at(oldStart) == '"'
                && now.bytes().at(nowStart) == '"'
                && names.areEqual(old.bytes(), oldStart + 1, oldEnd - 1, now.bytes(), nowStart + 1, nowEnd - 1);
    }

    private @Nullable FieldNode step(final @Nullable FieldNode node, final JsonMembers members, final int member) {
        if (node == null || node == ALL) {
            return node;
        }
        final FieldNode next = names.member(node, members.bytes(), members.nameStart(member), members.nameEnd(member));
        return next == null || next.slot() == FieldNode.NO_SLOT ? next : ALL;
    }

    /** Writes what differs between two objects and what is kept, and returns whether there is anything of that. */
    private boolean object(
            final int oldStart,
            final int nowStart,
            final @Nullable FieldNode kept,
            final @Nullable FieldNode selected) {
        old.open(oldStart);
        now.open(nowStart);
        output.put('{');
        final long inside = output.position();
        int expected = old.first();
        for (int member = now.first(); member < now.end(); member++) {
            final int before = find(expected, member);
            expected = before == NONE ? expected : before + 1;
            member(inside, before, member, step(kept, now, member), step(selected, now, member));
        }
        for (int member = old.first(); member < old.end(); member++) {
            if (!old.isMarked(member)) {
                final FieldNode keptIn = step(kept, old, member);
                final FieldNode selectedIn = step(selected, old, member);
                if (isGone(old.valueStart(member), keptIn, selectedIn)) {
                    name(inside, old, member);
                    putNull();
                }
            }
        }
        final boolean isWritten = output.position() != inside;
        output.put('}');
        old.close();
        now.close();
        return isWritten;
    }

    /** Finds a member's counterpart, which mostly stands after that of the member before. */
    private int find(final int expected, final int member) {
        final int start = now.nameStart(member);
        final int end = now.nameEnd(member);
        final int hash = now.hash(member);
        return expected < old.end() && old.hash(expected) == hash && old.isNamed(expected, now.bytes(), start, end)
                ? expected
                : old.find(now.bytes(), start, end, hash);
    }

    private void member(
            final long inside,
            final int before,
            final int member,
            final @Nullable FieldNode kept,
            final @Nullable FieldNode selected) {
        final int oldStart = before == NONE ? NONE : old.valueStart(before);
        if (before != NONE) {
            old.mark(before);
        }
        if (kept == null && selected == null) {
            return;
        }
        final int nowStart = now.valueStart(member);
        final int nowEnd = now.valueEnd(member);
        // Most members are as they were: nothing is written of them, not even to be taken back.
        final boolean isSame = before != NONE && areSame(oldStart, old.valueEnd(before), nowStart, nowEnd);
        if (isSame && kept == null) {
            return;
        }
        final long position = output.position();
        name(inside, now, member);
        final boolean isWritten =
                isSame ? copy(now, nowStart, nowEnd, kept, null) : value(oldStart, nowStart, nowEnd, kept, selected);
        if (!isWritten) {
            output.position(position);
        }
    }

    private void name(final long inside, final JsonMembers members, final int member) {
        if (output.position() != inside) {
            output.put(',');
        }
        output.put(members.bytes(), members.nameStart(member) - 1, members.nameEnd(member) + 1);
        output.put(':');
    }

    private void putNull() {
        output.put('n');
        output.put('u');
        output.put('l');
        output.put('l');
    }

    /** Writes a value that is there now and was not, or was another, and returns whether it did. */
    private boolean value(
            final int oldStart,
            final int nowStart,
            final int nowEnd,
            final @Nullable FieldNode kept,
            final @Nullable FieldNode selected) {
        final boolean isObject = now.bytes().at(nowStart) == '{';
        if (isObject && oldStart != NONE && old.bytes().at(oldStart) == '{') {
            // A kept object is written as a whole, with nulls for removed members.
            return object(oldStart, nowStart, kept, kept == ALL ? null : selected) || kept == ALL;
        }
        if (isObject || kept == ALL || selected == ALL) {
            final boolean isWritten = copy(now, nowStart, nowEnd, kept, selected);
            isChanged |= isWritten;
            return isWritten;
        }
        if (oldStart != NONE && isGone(oldStart, kept, selected)) {
            putNull();
            return true;
        }
        return false;
    }

    /** Whether something that is looked at was in a value of which nothing is left, so that null is to be written. */
    private boolean isGone(final int oldStart, final @Nullable FieldNode kept, final @Nullable FieldNode selected) {
        final boolean isGone;
        if (isWithoutEmpties && kept != ALL) {
            isGone = false;
        } else if (kept == ALL || selected == ALL) {
            isGone = old.bytes().at(oldStart) != 'n';
        } else {
            isGone = (kept != null || selected != null)
                    && old.bytes().at(oldStart) == '{'
                    && contains(oldStart, kept, selected);
        }
        isChanged |= isGone;
        return isGone;
    }

    private boolean contains(final int start, final @Nullable FieldNode kept, final @Nullable FieldNode selected) {
        boolean isFound = false;
        old.open(start);
        for (int member = old.first(); member < old.end() && !isFound; member++) {
            final FieldNode keptIn = step(kept, old, member);
            final FieldNode selectedIn = step(selected, old, member);
            final int value = old.valueStart(member);
            isFound = keptIn == ALL
                    || selectedIn == ALL
                    || ((keptIn != null || selectedIn != null)
                            && old.bytes().at(value) == '{'
                            && contains(value, keptIn, selectedIn));
        }
        old.close();
        return isFound;
    }

    /** Writes what is kept or selected of a value, and returns whether there was anything. */
    private boolean copy(
            final JsonMembers members,
            final int start,
            final int end,
            final @Nullable FieldNode kept,
            final @Nullable FieldNode selected) {
        final JsonBytes bytes = members.bytes();
        if (kept == ALL || (selected == ALL && !isWithoutEmpties)) {
            output.put(bytes, start, end);
            return true;
        }
        if (bytes.at(start) != '{') {
            final boolean isWritten = selected == ALL && !isEmpty(bytes, start);
            if (isWritten) {
                output.put(bytes, start, end);
            }
            return isWritten;
        }
        members.open(start);
        output.put('{');
        final long inside = output.position();
        for (int member = members.first(); member < members.end(); member++) {
            final FieldNode keptIn = step(kept, members, member);
            final FieldNode selectedIn = step(selected, members, member);
            if (keptIn != null || selectedIn != null) {
                final long position = output.position();
                name(inside, members, member);
                if (!copy(members, members.valueStart(member), members.valueEnd(member), keptIn, selectedIn)) {
                    output.position(position);
                }
            }
        }
        final boolean isWritten = output.position() != inside;
        output.put('}');
        members.close();
        return isWritten;
    }

    /** Whether a value that is no object is null, an empty text or an empty array. */
    private static boolean isEmpty(final JsonBytes bytes, final int start) {
        return switch (bytes.at(start)) {
            case 'n' -> true;
            case '"' -> bytes.at(start + 1) == '"';
            case '[' -> bytes.at(bytes.skipSpace(start + 1)) == ']';
            default -> false;
        };
    }
}
