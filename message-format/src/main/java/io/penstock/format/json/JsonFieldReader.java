package io.penstock.format.json;

import io.penstock.format.FieldNode;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSet;
import io.penstock.format.GrowableReader;
import io.penstock.format.MessageBytes;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads fields in one forward scan that stops at the field asked for and goes on from there when another is asked for. It
 * descends only where a path goes. On bytes that were not validated the answers mean nothing, but it ends and reads
 * nothing outside them.
 */
final class JsonFieldReader extends JsonFields implements GrowableReader {
    private static final KnownMember[] NO_MEMBERS = new KnownMember[0];

    private final EscapedName escapedName = new EscapedName();
    private final FieldNode root = FieldNode.newRoot();
    private final PresentSlots present;
    /** The nodes of the containers that are open, outermost first. */
    private FieldNode[] containers = {root};
    /** The index of the next element for each open array; a negative number for an object. */
    private int[] indexes = new int[1];

    /** Members read before, by their place in a message among all that were come upon. */
    private KnownMember[] members = NO_MEMBERS;
    /** Stands in for a member whose place is after those remembered. */
    private final KnownMember furtherMember = new KnownMember();

    private int memberCount;
    private int depth;
    private int position;
    private boolean isStarted;
    /** Whether a value at the position has been read, but not yet passed. */
    private boolean isBeforeValue;

    /** Whether other paths are read than in the message before. */
    private boolean isChanged;

    JsonFieldReader(final FieldSet fieldSet) {
        super(fieldSet.count());
        present = new PresentSlots(fields.length);
        for (int slot = 0; slot < fields.length; slot++) {
            if (!fieldSet.path(slot).isHeader()) {
                put(slot, fieldSet.path(slot));
            }
        }
    }

    private void put(final int slot, final FieldPath path) {
        fields[slot] = new JsonField(bytes);
        root.add(slot, path);
        // Each step may enter a member and an element of it.
        final int depthMax = 2 * path.steps().size() + 1;
        if (depthMax > containers.length) {
            containers = Arrays.copyOf(containers, depthMax);
            indexes = Arrays.copyOf(indexes, depthMax);
        }
    }

    @Override
    public void add(final int slot, final FieldPath path) {
        if (slot >= fields.length) {
            fields = Arrays.copyOf(fields, Math.max(slot + 1, 2 * fields.length));
            present.ensureCapacity(fields.length);
        }
        put(slot, path);
        isChanged = true;
    }

    @Override
    public void remove(final int slot, final FieldPath path) {
        root.remove(path);
        isChanged = true;
    }

    /** Forgets the remembered members, which are invalid when other paths are added. */
    private void forget() {
        isChanged = false;
        for (final KnownMember member : members) {
            member.forget();
        }
        furtherMember.forget();
    }

    @Override
    public void wrap(final DirectBuffer buffer, final int offset, final int length) {
        if (isChanged) {
            forget();
        }
        bytes.wrap(buffer, offset, length);
        message++;
        depth = 0;
        memberCount = 0;
        present.clear();
        position = 0;
        isStarted = false;
        isBeforeValue = false;
    }

    @Override
    void read(final JsonField field) {
        start();
        while (!field.isReadIn(message) && depth > 0) {
            scan();
        }
        if (!field.isReadIn(message)) {
            field.absent(message);
        }
    }

    @Override
    public int presentCount() {
        start();
        while (depth > 0) {
            scan();
        }
        return present.count();
    }

    @Override
    public int presentSlot(final int index) {
        return present.get(index);
    }

    private void start() {
        if (!isStarted) {
            isStarted = true;
            enter(root, bytes.skipSpace(0), false);
        }
    }

    private void scan() {
        if (isBeforeValue) {
            isBeforeValue = false;
            position = bytes.skipValue(position);
        }
        if (indexes[depth - 1] < 0) {
            scanMembers(containers[depth - 1]);
        } else {
            scanElements(containers[depth - 1]);
        }
    }

    /** Goes on in an object until a member that a path goes to has been entered or the object has ended. */
    private void scanMembers(final FieldNode object) {
        int i = position;
        while (true) {
            final KnownMember member = memberCount < members.length ? members[memberCount] : furtherMember();
            if (!member.isAt(bytes, i, false, object)) {
                final int start = bytes.skipToItem(i);
                if (bytes.at(start) != '"') {
                    leave(start);
                    return;
                }
                learn(member, object, i, start + 1);
            }
            memberCount++;
            i += member.length();
            final int value = member.isString() ? i - 1 : bytes.skipSpace(i);
            final FieldNode node = member.node();
            if (node != null && node.found(message)) {
                enter(node, value, false);
                return;
            }
            i = member.isString() ? bytes.skipToQuote(i) + 1 : bytes.skipValue(value);
        }
    }

    /** One for the place after those that there are. */
    private KnownMember furtherMember() {
        if (memberCount >= KnownMember.COUNT_MAX) {
            return furtherMember;
        }
        members = KnownMember.more(members);
        return members[memberCount];
    }

    /** Finds out what a member is, from where its name starts, so that it is known. */
    private void learn(final KnownMember member, final FieldNode object, final int start, final int name) {
        final int stop = bytes.skipToQuoteOrBackslash(name);
        final boolean isEscaped = bytes.at(stop) == '\\';
        final int quote = isEscaped ? bytes.skipToQuote(stop) : stop;
        final FieldNode node = isEscaped ? escapedMember(object, name, quote) : plainMember(object, bytes, name, quote);
        final int value = bytes.skipSpace(bytes.skipSpace(quote + 1) + 1);
        member.learn(bytes, start, value, false, object, node);
    }

    private @Nullable FieldNode escapedMember(final FieldNode object, final int start, final int end) {
        final JsonBytes decoded = escapedName.decode(bytes, start, end);
        return plainMember(object, decoded, 0, escapedName.length());
    }

    private static @Nullable FieldNode plainMember(
            final FieldNode object, final JsonBytes source, final int start, final int end) {
        final int length = end - start;
        return object.member(source, start, length, MessageBytes.firstBytes(source.word(start), length));
    }

    /** Goes on in an array until an element that a path goes to has been entered or the array has ended. */
    private void scanElements(final FieldNode array) {
        int i = bytes.skipToItem(position);
        while (!bytes.isScalarEnd(i)) {
            final FieldNode element = array.element(indexes[depth - 1]++);
            if (element != null) {
                enter(element, i, true);
                return;
            }
            i = bytes.skipToItem(bytes.skipValue(i));
        }
        leave(i);
    }

    /** Reads the value at a position, if it is a field, and opens it, if a path goes on in it. */
    private void enter(final FieldNode node, final int valuePosition, final boolean isElement) {
        final int c = bytes.at(valuePosition);
        position = node.slot() == FieldNode.NO_SLOT ? valuePosition : read(node.slot(), valuePosition, isElement);
        if ((c == '{' && node.hasMembers()) || (c == '[' && node.hasElements())) {
            containers[depth] = node;
            indexes[depth++] = c == '{' ? FieldPath.Step.NO_INDEX : 0;
            position = valuePosition + 1;
        } else {
            isBeforeValue = position == valuePosition;
        }
    }

    private int read(final int slot, final int valuePosition, final boolean isElement) {
        present.add(slot);
        return fields[slot].read(valuePosition, isElement, message);
    }

    private void leave(final int endBracket) {
        depth--;
        position = endBracket + 1;
    }
}
