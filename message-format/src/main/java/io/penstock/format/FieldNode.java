package io.penstock.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A step shared by some paths, and below it a table of the members and one of the elements that they go on to. Paths come
 * and go; what that costs does not grow with the others. Belongs to a reader, which is confined to one agent; the tree of a
 * {@link FieldSelection} is read by all, and not changed.
 */
public final class FieldNode {
    /** No path ends at the node. */
    public static final int NO_SLOT = -1;

    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;
    private static final int LENGTH_KEPT = 64;

    /** Most members that are moved at once. */
    private static final int WHOLE_COUNT_MAX = 256;

    private static final int SECTION_BITS = 8;

    /** The name in words of eight bytes, with zeros after it. */
    private final long[] name;

    private final int nameLength;
    private final long hash;
    private int slot = NO_SLOT;
    private int memberCount;
    /** Open addressing, at most a quarter full, so that a name that is not here mostly meets a hole. */
    private @Nullable FieldNode[] members = new FieldNode[1];

    /** Tables of the members by their hashes when there are many, so that none has to grow with all of them; else null. */
    private @Nullable FieldNode @Nullable [][] sections;

    private int[] sectionCounts = {};

    private @Nullable Int2ObjectHashMap<FieldNode> elements;
    private long foundIn;
    private boolean isUnique;

    FieldNode(final String name) {
        final byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        this.name = new long[Math.max(1, (utf8.length + MessageBytes.WORD_LENGTH - 1) / MessageBytes.WORD_LENGTH)];
        for (int i = 0; i < this.name.length; i++) {
            this.name[i] = word(utf8, i * MessageBytes.WORD_LENGTH);
        }
        nameLength = utf8.length;
        hash = nameLength <= MessageBytes.WORD_LENGTH
                ? hash(this.name[0], nameLength)
                : hash(this.name[0], word(utf8, nameLength - MessageBytes.WORD_LENGTH), nameLength);
    }

    private static long word(final byte[] utf8, final int start) {
        long word = 0;
        for (int i = Math.min(start + MessageBytes.WORD_LENGTH, utf8.length) - 1; i >= start; i--) {
            word = word << Byte.SIZE | (utf8[i] & 0xFF);
        }
        return word;
    }

    /**
     * Makes the node of a whole message.
     *
     * @return the node, of which nothing is read so far.
     */
    public static FieldNode newRoot() {
        return new FieldNode("");
    }

    /**
     * Builds the tree of some paths.
     *
     * @param fields with the paths.
     * @return the node of the whole message.
     */
    public static FieldNode rootOf(final FieldSet fields) {
        final FieldNode root = newRoot();
        for (int slot = 0; slot < fields.count(); slot++) {
            if (!fields.path(slot).isHeader()) {
                root.add(slot, fields.path(slot));
            }
        }
        return root;
    }

    /**
     * Adds a path from here.
     *
     * @param ofSlot that its field has, which no other field has.
     * @param path   to be added, which has no other slot.
     */
    public void add(final int ofSlot, final FieldPath path) {
        FieldNode node = this;
        for (final FieldPath.Step step : path.steps()) {
            node = node.addMember(new FieldNode(step.name()));
            if (step.index() != FieldPath.Step.NO_INDEX) {
                node = node.addElement(step.index());
            }
        }
        node.slot = ofSlot;
    }

    /**
     * Marks the steps of a path from here as such that a message is to have once at most.
     *
     * @param path that was added.
     */
    public void unique(final FieldPath path) {
        FieldNode node = this;
        for (final FieldPath.Step step : path.steps()) {
            node = node.addMember(new FieldNode(step.name()));
            node.isUnique = true;
            if (step.index() != FieldPath.Step.NO_INDEX) {
                node = node.addElement(step.index());
            }
        }
    }

    /**
     * Whether a message is to have this once at most.
     *
     * @return true when it was marked so.
     */
    public boolean isUnique() {
        return isUnique;
    }

    /**
     * Removes a path from here, and the steps that no other path shares.
     *
     * @param path that was added.
     */
    public void remove(final FieldPath path) {
        remove(path.steps(), 0);
    }

    private void remove(final List<FieldPath.Step> steps, final int at) {
        final FieldPath.Step step = steps.get(at);
        final FieldNode named = new FieldNode(step.name());
        final @Nullable FieldNode[] table = table(named.hash());
        final FieldNode member = Objects.requireNonNull(table[holeOrEqual(table, named)]);
        if (step.index() == FieldPath.Step.NO_INDEX) {
            member.end(steps, at);
        } else {
            final FieldNode element = Objects.requireNonNull(member.element(step.index()));
            element.end(steps, at);
            if (element.isUnused() && member.elements != null) {
                member.elements.remove(step.index());
            }
        }
        if (member.isUnused()) {
            removeMember(member);
        }
    }

    private void end(final List<FieldPath.Step> steps, final int at) {
        if (at + 1 < steps.size()) {
            remove(steps, at + 1);
        } else {
            slot = NO_SLOT;
        }
    }

    private boolean isUnused() {
        return slot == NO_SLOT && memberCount == 0 && !hasElements();
    }

    /** Takes a member out of its table, and moves those behind it that would not be found any more. */
    private void removeMember(final FieldNode removed) {
        final long hash = removed.hash();
        final @Nullable FieldNode[] table = table(hash);
        final int mask = table.length - 1;
        int hole = holeOrEqual(table, removed);
        FieldNode member;
        for (int i = (hole + 1) & mask; (member = table[i]) != null; i = (i + 1) & mask) {
            final int home = bucket(member.hash(), table);
            if (((i - home) & mask) >= ((i - hole) & mask)) {
                table[hole] = member;
                hole = i;
            }
        }
        table[hole] = null;
        memberCount--;
        final int count = count(hash, -1);
        // Far from where it grows again, so that what comes and goes does not do so each time.
        if (table.length > LENGTH_KEPT && count * 64 < table.length) {
            table(hash, resized(table, table.length / 4));
        }
        if (memberCount == 0 && sections != null) {
            sections = null;
            members = new FieldNode[1];
        }
    }

    private static @Nullable FieldNode[] resized(final @Nullable FieldNode[] table, final int length) {
        final @Nullable FieldNode[] made = new FieldNode[length];
        for (final FieldNode member : table) {
            if (member != null) {
                made[holeOrEqual(made, member)] = member;
            }
        }
        return made;
    }

    private FieldNode addMember(final FieldNode added) {
        final long hash = added.hash();
        final FieldNode[] known = table(hash);
        final FieldNode present = known[holeOrEqual(known, added)];
        if (present != null) {
            return present;
        }
        if (sections == null && memberCount == WHOLE_COUNT_MAX) {
            divide();
        }
        put(hash, added);
        memberCount++;
        return added;
    }

    private void put(final long hash, final FieldNode added) {
        @Nullable FieldNode[] table = table(hash);
        if (count(hash, 1) * 4 > table.length) {
            table = resized(table, table.length * 4);
            table(hash, table);
        }
        table[holeOrEqual(table, added)] = added;
    }

    private void divide() {
        final @Nullable FieldNode[] before = members;
        sections = new FieldNode[1 << SECTION_BITS][1];
        sectionCounts = new int[1 << SECTION_BITS];
        for (final FieldNode member : before) {
            if (member != null) {
                put(member.hash(), member);
            }
        }
        members = new FieldNode[1];
    }

    private @Nullable FieldNode[] table(final long hash) {
        final @Nullable FieldNode[][] all = sections;
        return all == null ? members : all[(int) (hash >>> (Long.SIZE - SECTION_BITS))];
    }

    private void table(final long hash, final @Nullable FieldNode[] table) {
        if (sections == null) {
            members = table;
        } else {
            sections[(int) (hash >>> (Long.SIZE - SECTION_BITS))] = table;
        }
    }

    /** How many there are, and this many more, in the table of a hash. */
    private int count(final long hash, final int change) {
        if (sections == null) {
            return memberCount + Math.max(0, change);
        }
        return sectionCounts[(int) (hash >>> (Long.SIZE - SECTION_BITS))] += change;
    }

    /** The place of the equal node in a table, or of the hole that it belongs to. */
    private static int holeOrEqual(final @Nullable FieldNode[] table, final FieldNode node) {
        int i = bucket(node.hash(), table);
        FieldNode present = table[i];
        while (present != null && !(present.nameLength == node.nameLength && Arrays.equals(present.name, node.name))) {
            i = (i + 1) & (table.length - 1);
            present = table[i];
        }
        return i;
    }

    private FieldNode addElement(final int elementIndex) {
        Int2ObjectHashMap<FieldNode> known = elements;
        if (known == null) {
            known = new Int2ObjectHashMap<>();
            elements = known;
        }
        final FieldNode present = known.get(elementIndex);
        if (present != null) {
            return present;
        }
        final FieldNode added = new FieldNode("");
        known.put(elementIndex, added);
        return added;
    }

    /**
     * Finds a member.
     *
     * @param source     of the name in the message, escapes resolved.
     * @param position   of the name.
     * @param length     of the name.
     * @param firstBytes of the name, up to eight, with zeros after them.
     * @return its node, or null when no path goes there.
     */
    public @Nullable FieldNode member(
            final MessageBytes source, final int position, final int length, final long firstBytes) {
        final long hash = length <= MessageBytes.WORD_LENGTH
                ? hash(firstBytes, length)
                : hash(firstBytes, source.word(position + length - MessageBytes.WORD_LENGTH), length);
        final @Nullable FieldNode[] table = table(hash);
        int i = bucket(hash, table);
        FieldNode member = table[i];
        while (member != null) {
            if (member.name[0] == firstBytes
                    && member.nameLength == length
                    && (length <= MessageBytes.WORD_LENGTH || member.hasRestOfName(source, position))) {
                return member;
            }
            i = (i + 1) & (table.length - 1);
            member = table[i];
        }
        return null;
    }

    long hash() {
        return hash;
    }

    private static long hash(final long firstBytes, final int length) {
        return (firstBytes + length) * HASH_FACTOR;
    }

    /** Hashes the ends of a longer name: many names begin alike, and end with a number. */
    private static long hash(final long firstBytes, final long lastBytes, final int length) {
        return (hash(firstBytes, length) ^ lastBytes) * HASH_FACTOR;
    }

    private static int bucket(final long hash, final @Nullable FieldNode[] table) {
        return (int) (hash >>> 40) & (table.length - 1);
    }

    private boolean hasRestOfName(final MessageBytes source, final int position) {
        for (int i = 1; i < name.length; i++) {
            final int offset = i * MessageBytes.WORD_LENGTH;
            if (name[i] != MessageBytes.firstBytes(source.word(position + offset), nameLength - offset)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Finds an element.
     *
     * @param elementIndex from 0.
     * @return its node, or null when no path goes there.
     */
    public @Nullable FieldNode element(final int elementIndex) {
        return elements == null ? null : elements.get(elementIndex);
    }

    /**
     * The field that a path ends at here.
     *
     * @return its slot, or {@link #NO_SLOT}.
     */
    public int slot() {
        return slot;
    }

    /**
     * Whether paths go on to members.
     *
     * @return true when they do.
     */
    public boolean hasMembers() {
        return memberCount > 0;
    }

    /**
     * Whether paths go on to elements.
     *
     * @return true when they do.
     */
    public boolean hasElements() {
        return elements != null && !elements.isEmpty();
    }

    /**
     * Marks this field as found, so that a second member of the same name is passed over.
     *
     * @param message that it was found in, by number from 1.
     * @return whether this is the first time in the message.
     */
    public boolean found(final long message) {
        final boolean isFirst = foundIn != message;
        foundIn = message;
        return isFirst;
    }
}
