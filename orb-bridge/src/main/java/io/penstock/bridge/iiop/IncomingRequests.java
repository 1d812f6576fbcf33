package io.penstock.bridge.iiop;

import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.CodeSets;
import io.penstock.bridge.giop.MessageHeader;
import io.penstock.bridge.giop.MessageSink;
import io.penstock.bridge.giop.MessageType;
import io.penstock.bridge.giop.ProtocolException;
import io.penstock.bridge.giop.RequestHeader;
import io.penstock.bridge.giop.SystemException;
import io.penstock.bridge.service.BridgeCounter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Makes calls of the messages that come by a connection. Owned by the connection's thread. */
final class IncomingRequests implements MessageSink {
    private final IiopConnection connection;
    private final IiopServer server;
    private final CallsUnderWay calls;
    private Charset charset = StandardCharsets.ISO_8859_1;
    private int minor = 2;

    IncomingRequests(final IiopConnection connection, final CallsUnderWay calls) {
        this.connection = connection;
        server = connection.server();
        this.calls = calls;
    }

    /** The version that the client speaks. */
    int minor() {
        return minor;
    }

    @Override
    public boolean isFull() {
        return connection.isFull();
    }

    @Override
    public void onMessage(final MessageHeader header, final CdrReader body, final long length)
            throws ProtocolException {
        if (connection.isEnding()) {
            return;
        }
        minor = header.minor();
        switch (header.type()) {
            case MessageType.REQUEST -> onRequest(header, body, length);
            case MessageType.LOCATE_REQUEST -> {
                final RequestHeader request = read(header, body);
                call(header, request, length).locate(server.operations().isHere(request.key()));
            }
            case MessageType.CANCEL_REQUEST -> onCancel(body);
            case MessageType.CLOSE_CONNECTION, MessageType.MESSAGE_ERROR -> connection.drop();
            default -> throw new ProtocolException("a client sends no message of type " + header.type());
        }
    }

    private static RequestHeader read(final MessageHeader header, final CdrReader body) throws ProtocolException {
        try {
            return header.type() == MessageType.REQUEST
                    ? RequestHeader.read(body, header.minor())
                    : RequestHeader.readLocate(body, header.minor());
        } catch (final SystemException e) {
            throw new ProtocolException("the header of a request cannot be read: " + e.getMessage());
        }
    }

    private Call call(final MessageHeader header, final RequestHeader request, final long length) {
        final Call call = new Call(connection, header, request.id(), request.isReplyExpected(), length, charset);
        calls.add(call);
        return call;
    }

    private void onRequest(final MessageHeader header, final CdrReader body, final long length)
            throws ProtocolException {
        final RequestHeader request = read(header, body);
        final Charset known = learnCharset(request);
        final Call call = call(header, request, length);
        body.charset(charset);
        try {
            if (known == null) {
                throw Failures.noCodeSet(request.codeSet());
            }
            server.operations().begin(call, request, body);
        } catch (final Throwable e) {
            // Whatever it is, its client waits, and so do the others of the connection.
            call.onFailure(e);
        }
    }

    /** The charset of strings from now on; null when the client names an unknown one. */
    private @Nullable Charset learnCharset(final RequestHeader request) {
        final Charset known = request.codeSet() == 0 ? charset : CodeSets.charset(request.codeSet());
        charset = known == null ? charset : known;
        return known;
    }

    @Override
    public void onRefused(final MessageHeader header, final CdrReader begin, final Refusal reason)
            throws ProtocolException {
        if (header.type() != MessageType.REQUEST) {
            throw new ProtocolException("a message of type " + header.type() + " is too long");
        }
        final RequestHeader request = read(header, begin);
        learnCharset(request);
        final Call call = call(header, request, 0);
        call.onFailure(reason == Refusal.TOO_LONG ? Failures.tooLong() : Failures.noRoom());
    }

    private void onCancel(final CdrReader body) throws ProtocolException {
        final int id;
        try {
            id = body.readInt();
        } catch (final SystemException e) {
            throw new ProtocolException("nothing to give up");
        }
        calls.cancel(id);
    }

    @Override
    public void onStaged(final int length) {
        server.counters().add(BridgeCounter.BYTES_STAGED, length);
    }
}
