package io.penstock.orb.pool;

import io.penstock.orb.chunk.ChunkHello;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The other side of a pool, that does frame by frame what a test says, whether right or wrong. */
final class ScriptedBridge implements AutoCloseable {
    static final int DATA = 1;
    static final int FLUSH = 4;
    static final int RESET = 3;
    static final int BEGIN = 1;
    static final int TURN = 2;

    private static final int WINDOW = 16 * 1024 * 1024;
    private static final int TIMEOUT_MS = 20_000;

    private final ServerSocket listening;

    ScriptedBridge() throws IOException {
        listening = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        listening.setSoTimeout(TIMEOUT_MS);
    }

    int port() {
        return listening.getLocalPort();
    }

    Socket accept() throws IOException {
        final Socket socket = listening.accept();
        socket.setSoTimeout(TIMEOUT_MS);
        return socket;
    }

    /** Takes the next connection, and says hello. */
    Connection connected(final int idleTimeoutMs) throws IOException {
        return new Connection(accept(), idleTimeoutMs);
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }

    /** One that has said hello. */
    static final class Connection implements AutoCloseable {
        final Socket socket;
        private final DataInputStream in;
        private final DataOutputStream out;

        Connection(final Socket socket, final int idleTimeoutMs) throws IOException {
            this.socket = socket;
            in = new DataInputStream(socket.getInputStream());
            out = new DataOutputStream(socket.getOutputStream());
            in.readFully(new byte[ChunkHello.LENGTH]);
            out.write(new ChunkHello(64 * 1024, WINDOW, 1024, idleTimeoutMs).bytes());
            out.flush();
        }

        Frame read() throws IOException {
            final int type = in.readByte();
            final int flags = in.readByte();
            final byte[] payload = new byte[in.readUnsignedShort()];
            final int stream = in.readInt();
            in.readFully(payload);
            return new Frame(type, flags, stream, payload);
        }

        void write(final int type, final int flags, final int stream, final byte[] payload) throws IOException {
            out.writeByte(type);
            out.writeByte(flags);
            out.writeShort(payload.length);
            out.writeInt(stream);
            out.write(payload);
            out.flush();
        }

        void reset(final int stream, final String reason) throws IOException {
            write(RESET, 0, stream, reason.getBytes(StandardCharsets.UTF_8));
        }

        /** Whether nothing but the end comes. */
        boolean isAtEnd() throws IOException {
            return in.read() < 0;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** What the pool has sent. */
    static final class Frame {
        private final int type;
        private final int flags;
        private final int stream;
        private final byte[] payload;

        Frame(final int type, final int flags, final int stream, final byte[] payload) {
            this.type = type;
            this.flags = flags;
            this.stream = stream;
            this.payload = payload;
        }

        boolean isBegin() {
            return type == DATA && (flags & BEGIN) != 0;
        }

        int stream() {
            return stream;
        }

        byte[] payload() {
            return payload;
        }
    }
}
