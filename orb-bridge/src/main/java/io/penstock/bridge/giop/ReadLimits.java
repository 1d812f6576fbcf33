package io.penstock.bridge.giop;

/**
 * Bounds of what a connection may send.
 *
 * @param messageLengthMax   longest message with all its fragments, in bytes. One that is longer is read past, and refused.
 * @param headerLengthMax    longest that a header may claim to follow, in bytes. Beyond it the connection ends.
 * @param heldLengthMax      of all messages of the connection that have come in part, in bytes; one that goes beyond it is
 *                           read past, and refused.
 * @param fragmentedCountMax messages of which fragments are missing. Beyond it the connection ends.
 */
public record ReadLimits(long messageLengthMax, long headerLengthMax, long heldLengthMax, int fragmentedCountMax) {}
