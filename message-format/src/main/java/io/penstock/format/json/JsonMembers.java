package io.penstock.format.json;

import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * The members of objects of one message, found by name; of several with one name only the first. Objects are opened and
 * closed as on a stack, and the memory for them is kept for the next message. Confined to one agent.
 *
 * <p>Names are found by hash. An attacker that knows the hash can choose names whose hashes are equal; an object with a
 * chain of too many is sorted by name instead, so that no message costs more than its length times the logarithm of
 * that.
 */
final class JsonMembers {
    static final int NONE = -1;
    /** A good hash has no chain of this length among all the names that fit a message. */
    private static final int CHAIN_LENGTH_MAX = 32;

    private static final int DUPLICATE = -2;

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
    /** The heads of the chains of all open objects, each object with a power of two of them; or its members in order. */
    private int[] chains = new int[128];

    private int chainCount;

    private final int[] firsts = new int[JsonFormat.DEPTH_MAX];
    private final int[] firstChains = new int[JsonFormat.DEPTH_MAX];
    private final boolean[] areSorted = new boolean[JsonFormat.DEPTH_MAX];
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

    /** Takes up a member from the start of its name, and returns the position after it. */
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
        chainCount += size;
        areSorted[depth - 1] = false;
        if (!linkByHash(first)) {
            areSorted[depth - 1] = true;
            sort(first, entryCount);
            dropSortedDuplicates(first);
            sort(first, entryCount);
        }
    }

    /** Puts members into chains, and returns false, with all of them still there, when one becomes too long. */
    private boolean linkByHash(final int first) {
        Arrays.fill(chains, firstChains[depth - 1], chainCount, NONE);
        boolean hasDuplicates = false;
        for (int i = first; i < entryCount; i++) {
            final int entry = i * ENTRY_SIZE;
            final int chain = chain(entries[entry + HASH]);
            int other = chains[chain];
            int length = 0;
            while (other != NONE && !isSameName(other, i)) {
                other = entries[other * ENTRY_SIZE + NEXT];
                length++;
            }
            if (length == CHAIN_LENGTH_MAX) {
                return false;
            }
            if (other == NONE) {
                entries[entry + NEXT] = chains[chain];
                chains[chain] = i;
            } else {
                entries[entry + NEXT] = DUPLICATE;
                hasDuplicates = true;
            }
        }
        if (hasDuplicates) {
            dropDuplicates(first);
            return linkByHash(first);
        }
        return true;
    }

    private boolean isSameName(final int member, final int other) {
        return hash(member) == hash(other) && isNamed(member, bytes, nameStart(other), nameEnd(other));
    }

    private void dropDuplicates(final int first) {
        int kept = first;
        for (int i = first; i < entryCount; i++) {
            if (entries[i * ENTRY_SIZE + NEXT] != DUPLICATE) {
                System.arraycopy(entries, i * ENTRY_SIZE, entries, kept * ENTRY_SIZE, ENTRY_SIZE);
                kept++;
            }
        }
        entryCount = kept;
    }

    private void dropSortedDuplicates(final int first) {
        final int sorted = firstChains[depth - 1];
        entries[chains[sorted] * ENTRY_SIZE + NEXT] = NONE;
        for (int i = 1; i < entryCount - first; i++) {
            final int member = chains[sorted + i];
            final boolean isDuplicate = compareNames(chains[sorted + i - 1], member) == 0;
            entries[member * ENTRY_SIZE + NEXT] = isDuplicate ? DUPLICATE : NONE;
        }
        dropDuplicates(first);
    }

    /** Sorts members by name, those of a name as they stand, into the place of their chains: a heap sort. */
    private void sort(final int first, final int end) {
        final int sorted = firstChains[depth - 1];
        final int count = end - first;
        for (int i = 0; i < count; i++) {
            chains[sorted + i] = first + i;
        }
        for (int i = count / 2 - 1; i >= 0; i--) {
            siftDown(sorted, i, count);
        }
        for (int i = count - 1; i > 0; i--) {
            final int last = chains[sorted + i];
            chains[sorted + i] = chains[sorted];
            chains[sorted] = last;
            siftDown(sorted, 0, i);
        }
    }

    private void siftDown(final int sorted, final int start, final int count) {
        int parent = start;
        int child = 2 * parent + 1;
        final int member = chains[sorted + parent];
        while (child < count) {
            if (child + 1 < count && compare(chains[sorted + child], chains[sorted + child + 1]) < 0) {
                child++;
            }
            if (compare(member, chains[sorted + child]) >= 0) {
                break;
            }
            chains[sorted + parent] = chains[sorted + child];
            parent = child;
            child = 2 * parent + 1;
        }
        chains[sorted + parent] = member;
    }

    private int compare(final int member, final int other) {
        final int order = compareNames(member, other);
        return order == 0 ? Integer.compare(member, other) : order;
    }

    private int compareNames(final int member, final int other) {
        return names.compare(bytes, nameStart(member), nameEnd(member), bytes, nameStart(other), nameEnd(other));
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
        if (areSorted[depth - 1]) {
            return findSorted(source, start, end);
        }
        int member = chains[chain(hash)];
        while (member != NONE && !(hash(member) == hash && isNamed(member, source, start, end))) {
            member = entries[member * ENTRY_SIZE + NEXT];
        }
        return member;
    }

    private int findSorted(final JsonBytes source, final int start, final int end) {
        int low = firstChains[depth - 1];
        int high = low + entryCount - firsts[depth - 1];
        while (low < high) {
            final int middle = (low + high) >>> 1;
            final int member = chains[middle];
            final int order = names.compare(bytes, nameStart(member), nameEnd(member), source, start, end);
            if (order == 0) {
                return member;
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle;
        }
        return NONE;
    }

    boolean isNamed(final int member, final JsonBytes source, final int start, final int end) {
        return names.areEqual(bytes, nameStart(member), nameEnd(member), source, start, end);
    }
}
