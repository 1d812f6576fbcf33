package io.penstock.transport.stream;

import org.agrona.DirectBuffer;

/** Takes the fragments that a {@link FrameReader} finds, as {@link io.penstock.transport.TransportHandler} does. */
interface FragmentSink {
    boolean onFragment(DirectBuffer buffer, int offset, int length, int frameOffset, int frameLength);
}
