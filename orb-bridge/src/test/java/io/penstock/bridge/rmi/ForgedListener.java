package io.penstock.bridge.rmi;

import io.penstock.orb.Callback;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.rmi.server.UID;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A listener of a client that keeps to RMI's bytes only as far as it has to. It accepts every call and answers as it likes. */
final class ForgedListener implements AutoCloseable {
    private static final int MAGIC_LENGTH = 7;

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger closedCount = new AtomicInteger();
    private final byte @Nullable [] answer;

    /** What it answers to each call; null to read nothing of it. */
    ForgedListener(final byte @Nullable [] answer) throws IOException {
        this.answer = answer;
        final Thread thread = new Thread(this::accept, "forged-listener");
        thread.setDaemon(true);
        thread.start();
    }

    /** An exception is thrown, which is any object, or bytes instead of it. */
    static byte[] thrown(final @Nullable Object object, final byte[] more) throws IOException {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(0x51);
        final ObjectOutputStream out = new ObjectOutputStream(bytes) {
            @Override
            protected void annotateClass(final Class<?> type) throws IOException {
                writeObject(null);
            }

            @Override
            protected void annotateProxyClass(final Class<?> type) throws IOException {
                writeObject(null);
            }
        };
        out.writeByte(2);
        new UID().write(out);
        if (object != null) {
            out.writeObject(object);
        }
        out.flush();
        bytes.write(more);
        return bytes.toByteArray();
    }

    Callback callback() {
        return Callback.of(ForgedRef.stub("127.0.0.1", port()));
    }

    int port() {
        return server.getLocalPort();
    }

    int connectionCount() {
        return sockets.size();
    }

    /** How many the bridge has closed. */
    int closedCount() {
        return closedCount.get();
    }

    /** Reads what is left on its first connection; returns how much that was when it ends. */
    long readRest() throws IOException {
        final Socket socket = sockets.iterator().next();
        socket.setSoTimeout(20_000);
        final byte[] piece = new byte[64 * 1024];
        long length = 0;
        int read = 0;
        while (read >= 0) {
            length += read;
            try {
                read = socket.getInputStream().read(piece);
            } catch (final SocketException e) {
                // Reset: it has ended as well.
                read = -1;
            }
        }
        return length;
    }

    private void accept() {
        while (true) {
            try {
                final Socket socket = server.accept();
                final Thread thread = new Thread(() -> serve(socket), "forged-listener-connection");
                thread.setDaemon(true);
                thread.start();
            } catch (final IOException e) {
                return;
            }
        }
    }

    private void serve(final Socket socket) {
        try {
            final DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 64));
            in.skipNBytes(MAGIC_LENGTH);
            final DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeByte(0x4E);
            out.writeUTF("127.0.0.1");
            out.writeInt(0);
            in.readUTF();
            in.readInt();
            in.readByte();
            sockets.add(socket);
            if (answer == null) {
                return;
            }
            out.write(answer);
            // Nothing is made of it.
            in.transferTo(OutputStream.nullOutputStream());
            closedCount.incrementAndGet();
        } catch (final IOException e) {
            // It is closed by the bridge, or at the end.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (final Socket each : sockets) {
            each.close();
        }
    }
}
