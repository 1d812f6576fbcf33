package io.penstock.broker.session;

import io.penstock.broker.monitor.ClientTrace;
import io.penstock.broker.monitor.TracedCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.BlockDataDecoder;
import io.penstock.protocol.codec.CloseSinkDecoder;
import io.penstock.protocol.codec.DeclareTopicDecoder;
import io.penstock.protocol.codec.DeleteTopicDecoder;
import io.penstock.protocol.codec.FlushDecoder;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.OfferBlockDecoder;
import io.penstock.protocol.codec.OpenSinkDecoder;
import io.penstock.protocol.codec.PaceDecoder;
import io.penstock.protocol.codec.PublishDecoder;
import io.penstock.protocol.codec.PublishStateDecoder;
import io.penstock.protocol.codec.ResetPublisherDecoder;
import io.penstock.protocol.codec.SowDecoder;
import io.penstock.protocol.codec.SowDeleteDecoder;
import io.penstock.protocol.codec.StatDecoder;
import io.penstock.protocol.codec.SubscribeDecoder;
import io.penstock.protocol.codec.SubscribeFromDecoder;
import io.penstock.protocol.codec.TopicsDecoder;
import io.penstock.protocol.codec.UnsubscribeDecoder;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Tells those who trace a client what it sends: its commands with their fields, and the beginnings of messages. Heartbeats
 * and what a client proves itself with are left out. Allocates, as only few clients are traced. Confined to one I/O agent.
 */
final class CommandTracer {
    private static final byte[] NO_BODY = {};

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final PublishDecoder publish = new PublishDecoder();
    private final PublishStateDecoder publishState = new PublishStateDecoder();
    private int bodyLength;

    /** A command of a client that is traced was taken: a whole frame that was checked. */
    void onCommand(
            final Session session, final DirectBuffer buffer, final int offset, final int length, final long nowNs) {
        final ClientTrace trace = session.commands().trace();
        if (trace == null) {
            return;
        }
        if (trace.isClosed()) {
            session.commands().trace(null);
            return;
        }
        final String text = text(FrameHeader.templateId(buffer, offset), buffer, offset);
        if (text == null) {
            return;
        }
        // The generated text is [Name](…):fields.
        final int name = text.indexOf(']');
        final int colon = text.indexOf("):");
        final String fields = text.substring(colon + 2);
        final byte[] body = body(FrameHeader.templateId(buffer, offset), buffer, offset);
        trace.offer(new TracedCommand(
                nowNs,
                text.substring(1, name),
                length,
                fields.length() > TracedCommand.FIELDS_LENGTH_MAX
                        ? fields.substring(0, TracedCommand.FIELDS_LENGTH_MAX) + "…"
                        : fields,
                body,
                bodyLength));
    }

    private byte[] body(final int templateId, final DirectBuffer buffer, final int offset) {
        bodyLength = 0;
        final int at;
        if (templateId == PublishDecoder.TEMPLATE_ID) {
            publish.wrapAndApplyHeader(buffer, offset, header).skipTopic();
            bodyLength = publish.payloadLength();
            at = publish.limit() + PublishDecoder.payloadHeaderLength();
        } else if (templateId == PublishStateDecoder.TEMPLATE_ID) {
            publishState.wrapAndApplyHeader(buffer, offset, header).skipTopic();
            publishState.skipKey();
            bodyLength = publishState.payloadLength();
            at = publishState.limit() + PublishStateDecoder.payloadHeaderLength();
        } else {
            return NO_BODY;
        }
        final byte[] beginning = new byte[Math.min(bodyLength, TracedCommand.BODY_LENGTH_MAX)];
        buffer.getBytes(at, beginning);
        return beginning;
    }

    private @Nullable String text(final int templateId, final DirectBuffer buffer, final int offset) {
        return switch (templateId) {
            case PublishDecoder.TEMPLATE_ID ->
                publish.wrapAndApplyHeader(buffer, offset, header).toString();
            case PublishStateDecoder.TEMPLATE_ID ->
                publishState.wrapAndApplyHeader(buffer, offset, header).toString();
            case SubscribeDecoder.TEMPLATE_ID ->
                new SubscribeDecoder().wrapAndApplyHeader(buffer, offset, header).toString();
            case SubscribeFromDecoder.TEMPLATE_ID ->
                new SubscribeFromDecoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .toString();
            case UnsubscribeDecoder.TEMPLATE_ID ->
                new UnsubscribeDecoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .toString();
            case PaceDecoder.TEMPLATE_ID ->
                new PaceDecoder().wrapAndApplyHeader(buffer, offset, header).toString();
            case FlushDecoder.TEMPLATE_ID ->
                new FlushDecoder().wrapAndApplyHeader(buffer, offset, header).toString();
            case StatDecoder.TEMPLATE_ID ->
                new StatDecoder().wrapAndApplyHeader(buffer, offset, header).toString();
            case TopicsDecoder.TEMPLATE_ID ->
                new TopicsDecoder().wrapAndApplyHeader(buffer, offset, header).toString();
            case DeclareTopicDecoder.TEMPLATE_ID ->
                new DeclareTopicDecoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .toString();
            case SowDecoder.TEMPLATE_ID ->
                new SowDecoder().wrapAndApplyHeader(buffer, offset, header).toString();
            case SowDeleteDecoder.TEMPLATE_ID ->
                new SowDeleteDecoder().wrapAndApplyHeader(buffer, offset, header).toString();
            case ResetPublisherDecoder.TEMPLATE_ID ->
                new ResetPublisherDecoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .toString();
            case DeleteTopicDecoder.TEMPLATE_ID ->
                new DeleteTopicDecoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .toString();
            default -> sinkText(templateId, buffer, offset);
        };
    }

    private @Nullable String sinkText(final int templateId, final DirectBuffer buffer, final int offset) {
        return switch (templateId) {
            case OpenSinkDecoder.TEMPLATE_ID ->
                // The key of memory lets others write there.
                "[OpenSink]():sink='"
                        + new OpenSinkDecoder()
                                .wrapAndApplyHeader(buffer, offset, header)
                                .sink() + "'";
            case OfferBlockDecoder.TEMPLATE_ID ->
                new OfferBlockDecoder().wrapAndApplyHeader(buffer, offset, header).toString();
            case BlockDataDecoder.TEMPLATE_ID ->
                new BlockDataDecoder().wrapAndApplyHeader(buffer, offset, header).toString();
            case CloseSinkDecoder.TEMPLATE_ID ->
                new CloseSinkDecoder().wrapAndApplyHeader(buffer, offset, header).toString();
            default -> null;
        };
    }
}
