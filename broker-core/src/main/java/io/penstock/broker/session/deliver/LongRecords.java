package io.penstock.broker.session.deliver;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.TopicAccess;
import io.penstock.broker.session.feed.CutCopy;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.session.send.CutRecords;
import io.penstock.broker.session.send.HeaderlessCopies;
import io.penstock.broker.session.send.HeaderlessRecords;
import io.penstock.broker.session.send.RecordCopies;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.format.FieldSelection;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.transport.Connection;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Offers records longer than a connection's unit in parts; between them nothing else may be offered. Confined to one I/O
 * agent.
 */
final class LongRecords {
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final HeaderlessCopies headerless;
    private final CutRecords cut;

    LongRecords(final RecordCopies copies) {
        headerless = copies.headerless();
        cut = copies.cut();
    }

    /**
     * Offers what is left of a record, as far as the connection takes it.
     *
     * @param to     the session.
     * @param feed   that the record is for.
     * @param ring   with its descriptor.
     * @param header of the frame.
     * @param log    with the record.
     * @param offset of the record.
     * @return what the connection answered to the last part.
     */
    long offer(
            final Session to,
            final SubscriptionFeed feed,
            final @Nullable DescriptorRing ring,
            final DirectBuffer header,
            final DirectBuffer log,
            final int offset) {
        if (to.delivery().partSent() == 0) {
            to.delivery().cutCopy(null);
        }
        final boolean isCopied = to.profile().protocolVersion() == 1 && RecordDescriptor.headersLength(log, offset) > 0;
        final int recordLength =
                isCopied ? HeaderlessRecords.length(log, offset) : RecordDescriptor.length(log, offset);
        assert recordLength >= HEADER_LENGTH : recordLength;
        final int unit = to.connection().bestSendLength();
        long taken = 0;
        while (to.delivery().partSent() < recordLength) {
            final int from = to.delivery().partSent();
            final int headerLength = from == 0 ? header.capacity() : 0;
            final int length = Math.min(unit - headerLength, recordLength - from);
            final int remaining = recordLength - from - length;
            taken = isCopied
                    ? headerless.offerPart(to.connection(), header, headerLength, log, offset, from, length, remaining)
                    : to.connection()
                            .offer(from == 0 ? header : EMPTY, 0, headerLength, log, offset + from, length, remaining);
            if (taken < 0) {
                break;
            }
            to.delivery().onPartSent(length, ring, feed);
            to.outbox().hold(true);
        }
        if (taken != Connection.BACK_PRESSURED) {
            endPart(to);
        }
        return taken;
    }

    /** Whether a record is to be cut: what is half sent goes on as it has begun. */
    static boolean isCut(final Session to, final TopicAccess access) {
        return to.delivery().partSent() > 0 ? to.delivery().cutCopy() != null : access.hidden() != null;
    }

    /**
     * Offers what is left of a record without fields that are hidden, as far as the connection takes it. The copy stays with
     * the session until all of it was taken, or another one is due.
     *
     * @param position of the record, as its descriptor says.
     * @param access   of the client to the record's topic.
     * @return what the connection answered to the last part; as if it had taken all when nothing of the record is shown.
     */
    long offerCut(
            final Session to,
            final SubscriptionFeed feed,
            final @Nullable DescriptorRing ring,
            final DirectBuffer header,
            final DirectBuffer log,
            final int offset,
            final long position,
            final TopicAccess access) {
        CutCopy copy = to.delivery().cutCopy();
        final FieldSelection hidden = access.hidden();
        if (to.delivery().partSent() == 0 && hidden != null) {
            if (to.connection().isBlocked()) {
                return Connection.BACK_PRESSURED;
            }
            final long sequence = RecordDescriptor.sequence(log, offset);
            if (copy == null || !copy.isOf(feed, sequence, position, hidden)) {
                final UnsafeBuffer made = cut.copyOf(
                        log,
                        offset,
                        access.topic().format(),
                        hidden,
                        to.profile().protocolVersion() == 1);
                copy = made == null ? null : new CutCopy(made, feed, sequence, position, hidden);
                to.delivery().cutCopy(copy);
            }
        }
        if (copy == null) {
            return to.connection().completedPosition();
        }
        final UnsafeBuffer record = copy.record();
        final int unit = to.connection().bestSendLength();
        long taken = 0;
        while (to.delivery().partSent() < record.capacity()) {
            final int from = to.delivery().partSent();
            final int headerLength = from == 0 ? header.capacity() : 0;
            final int length = Math.min(unit - headerLength, record.capacity() - from);
            taken = cut.offerPart(
                    to.connection(), header, headerLength, record, from, length, record.capacity() - from - length);
            if (taken < 0) {
                break;
            }
            to.delivery().onPartSent(length, ring, feed);
            to.outbox().hold(true);
        }
        if (taken != Connection.BACK_PRESSURED) {
            endPart(to);
        }
        return taken;
    }

    /** Nothing is half sent any more. */
    static void endPart(final Session to) {
        to.delivery().endPart();
        to.outbox().hold(false);
    }
}
