package io.penstock.bridge.rmi;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A connection to a client's listener, for one call after the other. Of an answer it reads whether the method has returned,
 * and nothing else: no object is made of what a client sends, and it cannot send much. Owned by the thread that calls. It
 * has no time-outs: any thread may close it, which ends the call, whatever that waits for.
 *
 * <pre>
 *   to the client:   JRMI | version (2) | 0x4B      address | port (4)
 *   from the client: 0x4E | address | port (4)
 *   a call:          0x50 | objects: object (22) | -1 (4) | method (8) | arguments
 *   its answer:      0x51 | 0xACED | 5 (2) | 0x77 | length (1) | 1 = has returned | id of the answer (14)
 * </pre>
 */
final class CallbackConnection {
    private static final int MAGIC = 0x4A524D49;
    private static final int VERSION = 2;
    private static final int STREAM_PROTOCOL = 0x4B;
    private static final int ACCEPTED = 0x4E;
    private static final int CALL = 0x50;
    private static final int ANSWER = 0x51;
    private static final int OBJECTS = 0xACED0005;
    private static final int BLOCK = 0x77;
    private static final int HAS_RETURNED = 1;
    private static final int ANSWER_ID_LENGTH = 14;
    private static final int BY_HASH = -1;
    private static final int READ_LENGTH = 256;
    private static final int WRITE_LENGTH = 16 * 1024;

    private final Socket socket = new Socket();
    private final CallbackStub stub;
    private DataInputStream in = new DataInputStream(InputStream.nullInputStream());
    private boolean isBegun;

    /**
     * Connects to nobody yet.
     *
     * @param stub where the listener is.
     */
    CallbackConnection(final CallbackStub stub) {
        this.stub = stub;
    }

    /** Calls, and waits for the answer. After an exception the connection is of no more use. */
    void call(final long method, final Arguments arguments) throws IOException {
        if (!isBegun) {
            begin();
            isBegun = true;
        }
        final OutputStream out = new BufferedOutputStream(socket.getOutputStream(), WRITE_LENGTH);
        out.write(CALL);
        final ObjectOutputStream objects = new CallOutput(out);
        stub.id().write(objects);
        objects.writeInt(BY_HASH);
        objects.writeLong(method);
        arguments.write(objects);
        objects.flush();
        awaitAnswer();
    }

    private void begin() throws IOException {
        socket.connect(new InetSocketAddress(stub.host(), stub.port()));
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), READ_LENGTH));
        final DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), READ_LENGTH));
        out.writeInt(MAGIC);
        out.writeShort(VERSION);
        out.writeByte(STREAM_PROTOCOL);
        out.flush();
        expect(in.readByte() == ACCEPTED);
        in.skipNBytes(in.readUnsignedShort());
        in.readInt();
        out.writeUTF(socket.getLocalAddress().getHostAddress());
        out.writeInt(0);
        out.flush();
    }

    private void awaitAnswer() throws IOException {
        expect(in.readByte() == ANSWER);
        expect(in.readInt() == OBJECTS);
        expect(in.readByte() == BLOCK);
        final int length = in.readUnsignedByte();
        if (in.readByte() != HAS_RETURNED) {
            throw new IOException("callback: the listener has thrown an exception: " + where());
        }
        expect(length == 1 + ANSWER_ID_LENGTH);
        in.skipNBytes(ANSWER_ID_LENGTH);
    }

    private void expect(final boolean isRight) throws IOException {
        if (!isRight) {
            throw new IOException("callback: not an answer of Java RMI: " + where());
        }
    }

    private String where() {
        return stub.host() + ":" + stub.port();
    }

    /** Waits for nobody. */
    void close() {
        try {
            socket.close();
        } catch (final IOException e) {
            // It is gone as well.
            return;
        }
    }

    /** The arguments of a method. */
    interface Arguments {
        void write(ObjectOutput out) throws IOException;
    }

    /** Says, as the runtime does, that classes are from nowhere. */
    private static final class CallOutput extends ObjectOutputStream {
        CallOutput(final OutputStream out) throws IOException {
            super(out);
        }

        @Override
        protected void annotateClass(final Class<?> type) throws IOException {
            writeObject(null);
        }

        @Override
        protected void annotateProxyClass(final Class<?> type) throws IOException {
            writeObject(null);
        }
    }
}
