package io.penstock.broker.filter.value;

import org.agrona.DirectBuffer;

/** A stretch of a LIKE pattern without percent signs. */
interface LikeSegment {
    /** Returns whether it has no code points. */
    boolean isEmpty();

    /** How many times a byte of the text is looked at when the segment is searched for. */
    int width();

    /** Matches at the start of a range: where the match ends, or negative. */
    int matchAt(DirectBuffer text, int start, int end);

    /** Matches at the end of a range: where the match starts, or negative. */
    int startAtEnd(DirectBuffer text, int start, int end);

    /** Finds the first match in a range: where it ends, or negative. */
    int find(DirectBuffer text, int start, int end);
}
