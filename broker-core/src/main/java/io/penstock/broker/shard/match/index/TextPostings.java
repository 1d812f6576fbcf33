package io.penstock.broker.shard.match.index;

import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Postings of texts that a value is equal to. */
final class TextPostings {
    private static final long HASH_FACTOR = HashSeed.MULTIPLIER;

    private final int slot;
    private final GrowingTable<Posting> table = new GrowingTable<>();

    /** No text is longer, so that a longer value is not looked at. */
    private int lengthMax;

    TextPostings(final int slot) {
        this.slot = slot;
    }

    boolean isEmpty() {
        return table.size() == 0;
    }

    void find(
            final DirectBuffer buffer, final int offset, final int length, final boolean isOfWhole, final Found found) {
        if (length > lengthMax) {
            return;
        }
        final int hash = hash(buffer, offset, length);
        for (Posting posting = table.head(hash); posting != null; posting = posting.nextInChain()) {
            if (posting.chainHash() == hash && isEqual((TextPosting) posting, buffer, offset, length)) {
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
        final TextPosting made = new TextPosting(PredicateKind.TEXT, slot, hash(text), text);
        table.add(made);
        lengthMax = Math.max(lengthMax, text.length);
        return made;
    }

    void remove(final Posting posting) {
        table.remove(posting);
        if (isEmpty()) {
            lengthMax = 0;
        }
    }

    private static boolean isEqual(
            final TextPosting posting, final DirectBuffer buffer, final int offset, final int length) {
        return posting.length() == length && posting.isAt(buffer, offset);
    }

    private static int hash(final DirectBuffer buffer, final int offset, final int length) {
        long hash = length;
        for (int i = 0; i < length; i++) {
            hash = (hash + (buffer.getByte(offset + i) & 0xFF)) * HASH_FACTOR;
        }
        return (int) (hash >>> Integer.SIZE);
    }

    private static int hash(final byte[] text) {
        long hash = text.length;
        for (final byte each : text) {
            hash = (hash + (each & 0xFF)) * HASH_FACTOR;
        }
        return (int) (hash >>> Integer.SIZE);
    }
}
