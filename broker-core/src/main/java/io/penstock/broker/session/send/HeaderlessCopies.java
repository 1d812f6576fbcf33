package io.penstock.broker.session.send;

import io.penstock.transport.Connection;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Offers connections copies of records without headers, for clients that know none. Confined to one I/O agent. */
public final class HeaderlessCopies {
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private UnsafeBuffer copy = new UnsafeBuffer(0, 0);

    /** Offers a frame's header and a run of records, which take no more than one unit. */
    public long offer(
            final Connection to,
            final DirectBuffer header,
            final DirectBuffer run,
            final int offset,
            final int runLength) {
        begin(to, header, header.capacity());
        final int length = HeaderlessRecords.copy(run, offset, runLength, copy, header.capacity());
        return to.offer(copy, 0, header.capacity() + length, EMPTY, 0, 0, 0);
    }

    /** Offers a part of a record, and a frame's header if there is one before it. */
    public long offerPart(
            final Connection to,
            final DirectBuffer header,
            final int headerLength,
            final DirectBuffer record,
            final int offset,
            final int from,
            final int length,
            final int remaining) {
        begin(to, header, headerLength);
        HeaderlessRecords.copy(record, offset, from, length, copy, headerLength);
        return to.offer(copy, 0, headerLength + length, EMPTY, 0, 0, remaining);
    }

    private void begin(final Connection to, final DirectBuffer header, final int headerLength) {
        final int unit = to.bestSendLength();
        if (copy.capacity() < unit) {
            copy = new UnsafeBuffer(ByteBuffer.allocateDirect(unit));
        }
        copy.putBytes(0, header, 0, headerLength);
    }
}
