package io.penstock.transport.stream.tls;

import io.penstock.transport.stream.Chunk;
import io.penstock.transport.tls.TlsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;

/**
 * Encrypts the data of one connection. Bytes whose records wait for the medium are not taken yet: who offers them again, as
 * they are, has them taken when the medium has their records.
 */
final class RecordWriter {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SSLEngine engine;
    private final RecordOutput output;

    /** Bytes of the next write that are encrypted already. */
    private int aheadLength;

    /** Of one write: bytes that are encrypted, and those of them that the medium has. */
    private int wrappedLength;

    private int sentLength;

    /** The buffer that the last body lay in, and a view of it. */
    private ByteBuffer bodies = NOTHING;

    private ByteBuffer view = NOTHING;

    RecordWriter(final SSLEngine engine, final RecordOutput output) {
        this.engine = engine;
        this.output = output;
    }

    /** Returns the bytes taken, 0 when the medium has no room. */
    int write(final Chunk from, final int offset, final int length) throws IOException {
        if (!output.flush()) {
            return 0;
        }
        begin(aheadLength);
        wrapAll(from.bytes(offset + wrappedLength, length - wrappedLength));
        return end();
    }

    /** The same of two pieces in turn. What is not taken of both is offered as one piece. */
    int write(
            final Chunk from,
            final int offset,
            final int length,
            final ByteBuffer body,
            final int bodyOffset,
            final int bodyLength)
            throws IOException {
        if (!output.flush() || aheadLength > 0) {
            return 0;
        }
        begin(0);
        if (wrapAll(from.bytes(offset, length))) {
            wrapAll(viewOf(body).limit(bodyOffset + bodyLength).position(bodyOffset));
        }
        return end();
    }

    /** Made once for each buffer that many bodies lie in: the same object, whatever is in it. */
    @SuppressWarnings("ReferenceEquality")
    private ByteBuffer viewOf(final ByteBuffer body) {
        if (body != bodies) {
            bodies = body;
            view = body.duplicate();
        }
        return view;
    }

    private void begin(final int ahead) {
        wrappedLength = ahead;
        sentLength = ahead;
        aheadLength = 0;
    }

    /** Returns false when the medium takes no more. */
    private boolean wrapAll(final ByteBuffer from) throws IOException {
        while (from.hasRemaining()) {
            if (!output.hasRoom(engine)) {
                if (!output.flush()) {
                    return false;
                }
                sentLength = wrappedLength;
            }
            final SSLEngineResult result = output.wrap(engine, from);
            if (result.getStatus() != SSLEngineResult.Status.OK) {
                throw new TlsException("the connection takes nothing any more: " + result.getStatus());
            }
            if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
                throw new TlsException("the connection takes nothing now: " + result.getHandshakeStatus());
            }
            wrappedLength += result.bytesConsumed();
        }
        return true;
    }

    private int end() throws IOException {
        if (output.flush()) {
            sentLength = wrappedLength;
        }
        aheadLength = wrappedLength - sentLength;
        return sentLength;
    }
}
