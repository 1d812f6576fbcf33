package io.penstock.broker.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A step shared by the paths of a {@link FieldSet}, and below it a table of the members and one of the elements that they
 * go on to. Complete when {@link #rootOf} returns, but for the mark of the message in which it was last found.
 */
final class FieldNode {
    static final int NO_SLOT = -1;
    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;
    private static final FieldNode[] NO_ELEMENTS = {};

    /** The name in words of eight bytes, with zeros behind it. */
    private final long[] name;

    private final int nameLength;
    private final int index;
    private int slot = NO_SLOT;
    private int memberCount;
    /** Open addressing, at most a quarter full, so that a name that is not here mostly meets a hole. */
    private @Nullable FieldNode[] members = new FieldNode[1];

    private FieldNode[] elements = NO_ELEMENTS;
    private long foundIn;

    private FieldNode(final String name, final int index) {
        final byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        this.name = new long[Math.max(1, (utf8.length + Swar.WORD_LENGTH - 1) / Swar.WORD_LENGTH)];
        for (int i = 0; i < utf8.length; i++) {
            this.name[i / Swar.WORD_LENGTH] |= (utf8[i] & 0xFFL) << (i % Swar.WORD_LENGTH * Byte.SIZE);
        }
        this.nameLength = utf8.length;
        this.index = index;
    }

    /**
     * Builds the tree of some paths.
     *
     * @param fields with the paths.
     * @return the node of the whole message.
     */
    static FieldNode rootOf(final FieldSet fields) {
        final FieldNode root = new FieldNode("", FieldPath.Step.NO_INDEX);
        for (int slot = 0; slot < fields.count(); slot++) {
            FieldNode node = root;
            for (final FieldPath.Step step : fields.path(slot).steps()) {
                node = node.addMember(new FieldNode(step.name(), FieldPath.Step.NO_INDEX));
                if (step.index() != FieldPath.Step.NO_INDEX) {
                    node = node.addElement(step.index());
                }
            }
            node.slot = slot;
        }
        return root;
    }

    private FieldNode addMember(final FieldNode added) {
        if ((memberCount + 1) * 4 > members.length) {
            final @Nullable FieldNode[] before = members;
            members = new FieldNode[before.length * 4];
            for (final FieldNode member : before) {
                if (member != null) {
                    members[holeOrEqual(member)] = member;
                }
            }
        }
        final int position = holeOrEqual(added);
        final FieldNode present = members[position];
        if (present != null) {
            return present;
        }
        members[position] = added;
        memberCount++;
        return added;
    }

    private int holeOrEqual(final FieldNode node) {
        int i = bucket(node.name[0], node.nameLength);
        FieldNode present = members[i];
        while (present != null && !(present.nameLength == node.nameLength && Arrays.equals(present.name, node.name))) {
            i = (i + 1) & (members.length - 1);
            present = members[i];
        }
        return i;
    }

    private FieldNode addElement(final int elementIndex) {
        final FieldNode present = element(elementIndex);
        if (present != null) {
            return present;
        }
        final FieldNode added = new FieldNode("", elementIndex);
        elements = Arrays.copyOf(elements, elements.length + 1);
        elements[elements.length - 1] = added;
        return added;
    }

    /**
     * Finds a member.
     *
     * @param source     of the name in the message, escapes resolved.
     * @param position   of the name.
     * @param length     of the name.
     * @param firstBytes of the name, up to eight, with zeros behind them.
     * @return its node, or null when no path goes there.
     */
    @Nullable
    FieldNode member(final JsonBytes source, final int position, final int length, final long firstBytes) {
        int i = bucket(firstBytes, length);
        FieldNode member = members[i];
        while (member != null) {
            if (member.name[0] == firstBytes
                    && member.nameLength == length
                    && (length <= Swar.WORD_LENGTH || member.hasRestOfName(source, position))) {
                return member;
            }
            i = (i + 1) & (members.length - 1);
            member = members[i];
        }
        return null;
    }

    private int bucket(final long firstBytes, final int length) {
        final long hash = (firstBytes + length) * HASH_FACTOR;
        return (int) (hash >>> 40) & (members.length - 1);
    }

    private boolean hasRestOfName(final JsonBytes source, final int position) {
        for (int i = 1; i < name.length; i++) {
            final int offset = i * Swar.WORD_LENGTH;
            if (name[i] != Swar.firstBytes(source.word(position + offset), nameLength - offset)) {
                return false;
            }
        }
        return true;
    }

    @Nullable
    FieldNode element(final int elementIndex) {
        for (final FieldNode element : elements) {
            if (element.index == elementIndex) {
                return element;
            }
        }
        return null;
    }

    int slot() {
        return slot;
    }

    boolean hasMembers() {
        return memberCount > 0;
    }

    boolean hasElements() {
        return elements.length > 0;
    }

    /** The count of members and elements on the longest way down from here. */
    int height() {
        int height = 0;
        for (final FieldNode member : members) {
            height = member == null ? height : Math.max(height, member.height() + 1);
        }
        for (final FieldNode element : elements) {
            height = Math.max(height, element.height() + 1);
        }
        return height;
    }

    /**
     * Marks this field as found, so that a second member of the same name is passed over.
     *
     * @param message that it was found in, by number from 1.
     * @return whether this is the first time in the message.
     */
    boolean found(final long message) {
        final boolean isFirst = foundIn != message;
        foundIn = message;
        return isFirst;
    }
}
