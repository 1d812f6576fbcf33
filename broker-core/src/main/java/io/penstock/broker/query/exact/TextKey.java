package io.penstock.broker.query.exact;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A text that is looked up by its bytes: a view of some that move, or a copy of its own. */
final class TextKey {
    private final UnsafeBuffer bytes = new UnsafeBuffer(0, 0);
    private int hash;

    /** Shows a text, as long as its bytes stay. */
    TextKey show(final DirectBuffer buffer, final int offset, final int length) {
        bytes.wrap(buffer, offset, length);
        hash = SecretHash.of(buffer, offset, length);
        return this;
    }

    /** One with bytes of its own. */
    TextKey copy() {
        final byte[] own = new byte[length()];
        bytes.getBytes(0, own);
        final TextKey copy = new TextKey();
        copy.bytes.wrap(own);
        copy.hash = hash;
        return copy;
    }

    /** In bytes. */
    int length() {
        return bytes.capacity();
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof TextKey text && text.hash == hash && text.bytes.equals(bytes);
    }
}
