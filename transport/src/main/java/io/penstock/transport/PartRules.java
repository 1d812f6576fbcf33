package io.penstock.transport;

import static io.penstock.transport.TransportContext.FRAGMENT_LENGTH_MIN;

import org.jspecify.annotations.Nullable;

/**
 * How a frame may be cut into parts: what {@link Connection#offer} takes, and what a medium that keeps parts as they
 * were offered may hand to {@link TransportHandler#onFragment}. For authors of a transport.
 */
public final class PartRules {
    private PartRules() {}

    /**
     * Fails unless a part is one that {@link Connection#offer} allows.
     *
     * @param length        of header and body.
     * @param remaining     as offered.
     * @param partLengthMax the most that one offer takes.
     * @param due           what the part before has left of the frame; 0 when this one begins a frame.
     * @throws IllegalArgumentException says what is wrong with it.
     */
    public static void checkOffer(final int length, final int remaining, final int partLengthMax, final int due) {
        if (length < 0 || length > partLengthMax || (length == 0 && remaining != 0)) {
            throw new IllegalArgumentException("offer: part has a bad length: " + length + " (use 1 to " + partLengthMax
                    + ", or 0 for an empty frame)");
        }
        if (remaining < 0 || remaining >= Integer.MAX_VALUE - length) {
            throw new IllegalArgumentException(
                    "offer: remaining is out of range: " + remaining + " (use a frame of less than 2 GiB)");
        }
        if (due == 0 && isStartCut(length, length + remaining)) {
            throw new IllegalArgumentException("offer: the first part of a frame is too short: " + length + " of "
                    + (length + remaining) + " (offer " + FRAGMENT_LENGTH_MIN + " bytes, or the whole frame)");
        }
        assert due == 0 || due == length + remaining : due + " expected, got " + (length + remaining);
    }

    /**
     * Returns what is wrong with a part that a peer has sent.
     *
     * @param length         of the part.
     * @param frameOffset    of the part in its frame.
     * @param frameLength    of the frame, as announced with its first part.
     * @param frameLengthMax the longest frame.
     * @return for people; null when it may be delivered.
     */
    public static @Nullable String whatIsWrong(
            final int length, final int frameOffset, final int frameLength, final int frameLengthMax) {
        if (frameLength < 0 || frameLength > frameLengthMax) {
            return "frame is longer than transport.frameLengthMax: " + frameLength + " (the limit is " + frameLengthMax
                    + ")";
        }
        if (frameLength <= FRAGMENT_LENGTH_MIN && length != frameLength) {
            return "a short frame came in parts: " + length + " of " + frameLength;
        }
        if (frameOffset == 0 && isStartCut(length, frameLength)) {
            return "the first part of a long frame is short: " + length + " of " + frameLength;
        }
        if (length > frameLength - frameOffset || (length == 0 && frameLength != 0)) {
            return "a part does not fit its frame: " + length + " at " + frameOffset + " of " + frameLength;
        }
        return null;
    }

    private static boolean isStartCut(final int length, final int frameLength) {
        return length < Math.min(frameLength, FRAGMENT_LENGTH_MIN);
    }
}
