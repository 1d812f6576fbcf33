package io.penstock.broker.filter.value;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A segment of given code points only; comparing their bytes is enough. */
final class PlainSegment implements LikeSegment {
    private final DirectBuffer bytes;
    private final int length;
    private final long factors;

    PlainSegment(final byte[] bytes) {
        this.bytes = new UnsafeBuffer(bytes);
        this.length = bytes.length;
        this.factors = TextSearch.factors(this.bytes, 0, length);
    }

    @Override
    public boolean isEmpty() {
        return length == 0;
    }

    @Override
    public int width() {
        return 1;
    }

    @Override
    public int matchAt(final DirectBuffer text, final int start, final int end) {
        return end - start >= length && Texts.equal(text, start, bytes, 0, length) ? start + length : -1;
    }

    @Override
    public int startAtEnd(final DirectBuffer text, final int start, final int end) {
        final int at = end - length;
        return at >= start && Texts.equal(text, at, bytes, 0, length) ? at : -1;
    }

    @Override
    public int find(final DirectBuffer text, final int start, final int end) {
        final int found = TextSearch.find(text, start, end, bytes, 0, length, factors);
        return found < 0 ? found : found + length;
    }
}
