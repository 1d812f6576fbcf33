package io.penstock.broker.format;

import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * The members of objects of one message, found by name; of several with a name there is only the first. Objects are opened
 * and closed as on a stack, and the memory for them is kept for the next message. Confined to one agent.
 *
 * <p>Names are found by chains of equal hashes.
 */
final class JsonMembers {
    static final int NONE = -1;

    /** The layout of a member in {@link #entries}: positions in the message, and what finds it. */
    private static final int NAME_START = 0;

    private static final int NAME_END = NAME_START + 1;
    private static final int VALUE_START = NAME_END + 1;
    private static final int VALUE_END = VALUE_START + 1;
    private static final int HASH = VALUE_END + 1;
    private static final int NEXT = HASH + 1;
    private static final int ENTRY_SIZE = NEXT + 1;

    private final JsonBytes bytes = new JsonBytes();
    private final JsonNames names = new JsonNames();
    private int[] entries = new int[64 * ENTRY_SIZE];
    private int entryCount;
    /** The heads of the chains of all open objects, each object with a power of two of them. */
    private int[] chains = new int[128];

    private int chainCount;

    private final int[] firsts = new int[JsonFormat.DEPTH_MAX];
    private final int[] firstChains = new int[JsonFormat.DEPTH_MAX];
    private int depth;

    void wrap(final DirectBuffer message, final int offset, final int length) {
        bytes.wrap(message, offset, length);
        entryCount = 0;
        chainCount = 0;
        depth = 0;
    }

    JsonBytes bytes() {
        return bytes;
    }

    /**
     * Opens an object.
     *
     * @param position of its opening bracket.
     */
    void open(final int position) {
        final int first = entryCount;
        firsts[depth] = first;
        firstChains[depth] = chainCount;
        depth++;
        int i = bytes.skipToItem(position + 1);
        while (bytes.at(i) == '"') {
            i = bytes.skipToItem(append(i + 1));
        }
        link(first);
    }

    /** Takes up a member from the start of its name, and returns the position behind it. */
    private int append(final int name) {
        if ((entryCount + 1) * ENTRY_SIZE > entries.length) {
            entries = Arrays.copyOf(entries, entries.length * 2);
        }
        final int nameEnd = bytes.skipToQuote(name);
        final int value = bytes.skipSpace(bytes.skipSpace(nameEnd + 1) + 1);
        final int end = bytes.skipValue(value);
        final int entry = entryCount * ENTRY_SIZE;
        entries[entry + NAME_START] = name;
        entries[entry + NAME_END] = nameEnd;
        entries[entry + VALUE_START] = value;
        entries[entry + VALUE_END] = end;
        entries[entry + HASH] = names.hash(bytes, name, nameEnd);
        entryCount++;
        return end;
    }

    /** Puts the members from one on into chains, and takes those out whose name was there before. */
    private void link(final int first) {
        final int count = entryCount - first;
        final int size = Math.max(1, Integer.highestOneBit(count) * 2);
        if (chainCount + size > chains.length) {
            chains = Arrays.copyOf(chains, Math.max(chains.length * 2, chainCount + size));
        }
        Arrays.fill(chains, chainCount, chainCount + size, NONE);
        chainCount += size;
        int kept = first;
        for (int i = first; i < first + count; i++) {
            final int entry = i * ENTRY_SIZE;
            final int start = entries[entry + NAME_START];
            if (find(bytes, start, entries[entry + NAME_END], entries[entry + HASH]) == NONE) {
                if (kept < i) {
                    System.arraycopy(entries, entry, entries, kept * ENTRY_SIZE, ENTRY_SIZE);
                }
                final int chain = chain(entries[entry + HASH]);
                entries[kept * ENTRY_SIZE + NEXT] = chains[chain];
                chains[chain] = kept;
                kept++;
            }
        }
        entryCount = kept;
    }

    private int chain(final int hash) {
        final int first = firstChains[depth - 1];
        return first + (hash & (chainCount - first - 1));
    }

    /** Closes the object that was opened last. */
    void close() {
        depth--;
        entryCount = firsts[depth];
        chainCount = firstChains[depth];
    }

    /** The first member of the object opened last, the others have the numbers behind it. */
    int first() {
        return firsts[depth - 1];
    }

    /** Behind the last member of the object opened last. */
    int end() {
        return entryCount;
    }

    int nameStart(final int member) {
        return entries[member * ENTRY_SIZE + NAME_START];
    }

    int nameEnd(final int member) {
        return entries[member * ENTRY_SIZE + NAME_END];
    }

    int valueStart(final int member) {
        return entries[member * ENTRY_SIZE + VALUE_START];
    }

    int valueEnd(final int member) {
        return entries[member * ENTRY_SIZE + VALUE_END];
    }

    int hash(final int member) {
        return entries[member * ENTRY_SIZE + HASH];
    }

    /**
     * Marks a member until its object is closed; only where it is then looked up no more.
     *
     * @param member to be marked.
     */
    void mark(final int member) {
        entries[member * ENTRY_SIZE + VALUE_START] = NONE;
    }

    boolean isMarked(final int member) {
        return entries[member * ENTRY_SIZE + VALUE_START] == NONE;
    }

    /**
     * Finds a member of the object opened last.
     *
     * @param source of the name.
     * @param start  of the name.
     * @param end    of the name.
     * @param hash   of the name.
     * @return the member, or {@link #NONE}.
     */
    int find(final JsonBytes source, final int start, final int end, final int hash) {
        int member = chains[chain(hash)];
        while (member != NONE && !(hash(member) == hash && isNamed(member, source, start, end))) {
            member = entries[member * ENTRY_SIZE + NEXT];
        }
        return member;
    }

    boolean isNamed(final int member, final JsonBytes source, final int start, final int end) {
        return names.areEqual(bytes, nameStart(member), nameEnd(member), source, start, end);
    }
}
