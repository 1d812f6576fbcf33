package io.penstock.broker.shard.match.index;

import java.util.Arrays;
import org.agrona.DirectBuffer;

/** A posting that is known by a text. */
final class TextPosting extends Posting {
    private final int hash;
    private final byte[] text;

    TextPosting(final PredicateKind kind, final int slot, final int hash, final byte[] text) {
        super(kind, slot);
        this.hash = hash;
        this.text = text;
    }

    @Override
    public int chainHash() {
        return hash;
    }

    int length() {
        return text.length;
    }

    boolean isOf(final byte[] other) {
        return Arrays.equals(text, other);
    }

    /** Whether its text stands at a place, where there is room for it. */
    boolean isAt(final DirectBuffer buffer, final int offset) {
        for (int i = 0; i < text.length; i++) {
            if (buffer.getByte(offset + i) != text[i]) {
                return false;
            }
        }
        return true;
    }
}
