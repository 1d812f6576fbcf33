package io.penstock.bridge.giop;

import java.util.ArrayList;
import java.util.List;

/** Notes what comes: the kind and version of each message, and all its data as octets. */
class RecordingSink implements MessageSink {
    final List<String> messages = new ArrayList<>();
    final List<byte[]> bodies = new ArrayList<>();
    final List<Refusal> refusals = new ArrayList<>();
    long stagedLength;

    @Override
    public void onMessage(final MessageHeader header, final CdrReader body, final long length)
            throws ProtocolException {
        messages.add(header.type() + " of 1." + header.minor());
        final byte[] bytes = new byte[body.remaining()];
        try {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = body.readOctet();
            }
        } catch (final SystemException e) {
            throw new IllegalStateException("the data is shorter than it says", e);
        }
        bodies.add(bytes);
    }

    @Override
    public void onRefused(final MessageHeader header, final CdrReader begin, final Refusal reason) {
        messages.add("refused " + header.type());
        refusals.add(reason);
    }

    @Override
    public void onStaged(final int length) {
        stagedLength += length;
    }
}
