package io.penstock.broker.shard.match.index;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Postings of texts that a value begins with, or ends with. A value is hashed from that end on, and looked for after as
 * many bytes as one of the texts has.
 */
final class AffixPostings {
    private static final long HASH_FACTOR = HashSeed.MULTIPLIER;

    private final PredicateKind kind;
    private final int slot;
    private final boolean isSuffix;
    private final GrowingTable<Posting> table = new GrowingTable<>();

    /** How many texts have each length. */
    private int[] lengthCounts = new int[0];

    private int lengthMax;

    AffixPostings(final PredicateKind kind, final int slot) {
        this.kind = kind;
        this.slot = slot;
        isSuffix = kind == PredicateKind.SUFFIX;
    }

    boolean isEmpty() {
        return table.size() == 0;
    }

    void find(
            final DirectBuffer buffer, final int offset, final int length, final boolean isOfWhole, final Found found) {
        final int end = Math.min(length, lengthMax);
        long hash = 0;
        for (int i = 1; i <= end; i++) {
            final int at = isSuffix ? offset + length - i : offset + i - 1;
            hash = hash(hash, buffer.getByte(at));
            if (lengthCounts[i] > 0) {
                find((int) (hash >>> Integer.SIZE), buffer, isSuffix ? at : offset, i, isOfWhole, found);
            }
        }
    }

    private void find(
            final int hash,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final boolean isOfWhole,
            final Found found) {
        for (Posting posting = table.head(hash); posting != null; posting = posting.nextInChain()) {
            if (posting.chainHash() == hash
                    && ((TextPosting) posting).length() == length
                    && ((TextPosting) posting).isAt(buffer, offset)) {
                found.add(posting, isOfWhole);
                return;
            }
        }
    }

    @Nullable
    Posting get(final byte[] text) {
        final int hash = hash(text);
        for (Posting posting = table.head(hash); posting != null; posting = posting.nextInChain()) {
            if (posting.chainHash() == hash && ((TextPosting) posting).isOf(text)) {
                return posting;
            }
        }
        return null;
    }

    Posting make(final byte[] text) {
        final Posting present = get(text);
        if (present != null) {
            return present;
        }
        final TextPosting made = new TextPosting(kind, slot, hash(text), text);
        table.add(made);
        if (text.length >= lengthCounts.length) {
            lengthCounts = Arrays.copyOf(lengthCounts, Math.max(text.length + 1, 2 * lengthCounts.length));
        }
        lengthCounts[text.length]++;
        lengthMax = Math.max(lengthMax, text.length);
        return made;
    }

    void remove(final Posting posting) {
        table.remove(posting);
        lengthCounts[((TextPosting) posting).length()]--;
        while (lengthMax > 0 && lengthCounts[lengthMax] == 0) {
            lengthMax--;
        }
    }

    private int hash(final byte[] text) {
        long hash = 0;
        for (int i = 0; i < text.length; i++) {
            hash = hash(hash, text[isSuffix ? text.length - 1 - i : i]);
        }
        return (int) (hash >>> Integer.SIZE);
    }

    private static long hash(final long before, final byte next) {
        return (before + (next & 0xFF) + 1) * HASH_FACTOR;
    }
}
