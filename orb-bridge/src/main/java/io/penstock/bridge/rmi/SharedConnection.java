package io.penstock.bridge.rmi;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.service.BridgeCounters;
import io.penstock.orb.chunk.ChunkConnection;
import io.penstock.orb.chunk.ChunkCounters;
import io.penstock.orb.chunk.ChunkFrame;
import io.penstock.orb.chunk.ChunkHello;
import io.penstock.orb.chunk.ChunkListener;
import io.penstock.orb.chunk.ChunkStream;
import io.penstock.orb.chunk.SegmentPool;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection that many of its calls share. The thread that the runtime has for it looks after it, and reads it
 * when no lane does.
 */
final class SharedConnection implements ChunkListener {
    static final int WINDOW_LENGTH = 256 * 1024;

    private static final int READ_TIMEOUT_MS_MAX = 1_000;
    private static final int READ_TIMEOUT_PARTS = 4;
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(4);
    private static final long QUIET_TICK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final BridgeConfig config;
    private final Sharing sharing;
    private final CallerSocket socket;
    private final Lanes lanes;
    private final ChunkCounters chunks = new ChunkCounters();
    private volatile @Nullable ChunkConnection connection;
    private volatile @Nullable Thread reader;
    private volatile boolean isWanted;

    /**
     * A connection on which nothing was said yet.
     *
     * @param config   of the bridge.
     * @param sharing  gives the runtime lanes.
     * @param socket   of the client.
     * @param counters count.
     */
    SharedConnection(
            final BridgeConfig config,
            final Sharing sharing,
            final CallerSocket socket,
            final BridgeCounters counters) {
        this.config = config;
        this.sharing = sharing;
        this.socket = socket;
        lanes = new Lanes(
                config.rmi().laneCountMax(),
                Runtime.getRuntime().availableProcessors(),
                this::open,
                this::read,
                counters);
    }

    /** Whether a connection that begins so is to be shared. */
    static boolean isHead(final byte[] bytes, final int offset, final int count) {
        for (int i = 0; i < Math.min(count, Integer.BYTES); i++) {
            if (bytes[offset + i] != (byte) (ChunkHello.MAGIC >> (24 - 8 * i))) {
                return false;
            }
        }
        return true;
    }

    /** Serves it to its end. */
    void serve(final InputStream in, final OutputStream out, final byte[] head) throws IOException {
        final ChunkHello own = new ChunkHello(
                ChunkFrame.LENGTH_MAX,
                WINDOW_LENGTH,
                config.rmi().streamCountMax(),
                config.rmi().idleTimeoutMs());
        final byte[] hello = hello(in, head);
        // Also to a peer that is not understood, so that it can report why.
        out.write(own.bytes());
        out.flush();
        socket.exit();
        final ChunkConnection made =
                new ChunkConnection(in, out, socket::abort, own, ChunkHello.read(hello, 0), false, this, chunks);
        lanes.connection(made);
        connection = made;
        reader = Thread.currentThread();
        socket.setSoTimeout(
                Math.max(1, Math.min(READ_TIMEOUT_MS_MAX, config.rmi().idleTimeoutMs() / READ_TIMEOUT_PARTS)));
        try {
            lookAfter(made);
        } finally {
            lanes.close();
            made.close();
        }
    }

    private static byte[] hello(final InputStream in, final byte[] head) throws IOException {
        if (head.length > ChunkHello.LENGTH) {
            throw new IOException("chunk hello: more than a hello before it was answered: " + head.length + " bytes");
        }
        final byte[] hello = Arrays.copyOf(head, ChunkHello.LENGTH);
        if (in.readNBytes(hello, head.length, hello.length - head.length) < hello.length - head.length) {
            throw new EOFException("chunk hello: the client has closed the connection");
        }
        return hello;
    }

    private void lookAfter(final ChunkConnection made) throws IOException {
        final long idleNs = TimeUnit.MILLISECONDS.toNanos(config.rmi().idleTimeoutMs());
        long readCount = -1;
        long partsNs = System.nanoTime();
        while (!made.isEnded()) {
            final boolean isQuiet = readCount == made.readCount();
            final boolean isAsked = isWanted;
            isWanted = false;
            if (made.isUnread() && (isAsked || isQuiet || !lanes.isRunning())) {
                receive(made);
                lanes.serveOthers();
            }
            final long nowNs = System.nanoTime();
            lanes.lookAfter(nowNs);
            if (nowNs - partsNs > QUIET_TICK_NS) {
                partsNs = nowNs;
                made.resetParts(nowNs, idleNs);
            }
            if (nowNs - made.heardNs() > idleNs && !lanes.isBusy()) {
                return;
            }
            readCount = made.readCount();
            if (lanes.isRunning() || !made.isUnread()) {
                LockSupport.parkNanos(this, isQuiet ? QUIET_TICK_NS : TICK_NS);
            }
        }
    }

    private static void receive(final ChunkConnection made) throws IOException {
        try {
            final boolean unused = made.receive();
        } catch (final SocketTimeoutException e) {
            // Nothing has come.
            return;
        }
    }

    /** The thread of the connection is to read. */
    private void read() {
        isWanted = true;
        LockSupport.unpark(reader);
    }

    private boolean open(final Lanes.Place place) {
        return sharing.open(new Lane(lanes, place, socket, config.rmi().idleTimeoutMs()));
    }

    /** Whether an answer is on its way; with messages, perhaps. */
    boolean isAnswering() {
        final ChunkConnection known = connection;
        return known != null && known.isWriting();
    }

    /** Closes it when its client takes nothing. Waits for nobody. */
    void closeStuck(final long nowNs) {
        final ChunkConnection known = connection;
        if (known != null
                && known.isStuck(
                        nowNs, TimeUnit.MILLISECONDS.toNanos(config.rmi().idleTimeoutMs()))) {
            known.close();
        }
    }

    @Override
    public void onBytes(final ChunkStream stream) {
        lanes.onCall(stream, stream.connection().streamCount());
    }

    @Override
    public void onReadOn() {
        lanes.serveAnyway();
    }

    @Override
    public boolean hold(final int length) {
        return sharing.hold(length);
    }

    @Override
    public boolean holdMore(final int length) {
        return sharing.holdMore(length);
    }

    @Override
    public SegmentPool segments() {
        return sharing.segments();
    }

    @Override
    public void onEnd() {
        lanes.close();
        LockSupport.unpark(reader);
    }
}
