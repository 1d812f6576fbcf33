package io.penstock.simulator;

import io.penstock.simulator.Reached.State;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A connection between a client and the broker: a queue of frames in each direction. */
final class SimLink {
    private final SimNetwork network;
    private final long id;
    private final Pipe toBroker;
    private final Pipe toClient;
    private boolean isCut;

    SimLink(final SimNetwork network, final long id, final int capacity) {
        this.network = network;
        this.id = id;
        toBroker = new Pipe(capacity);
        toClient = new Pipe(capacity);
    }

    private static final class Frame {
        private final byte[] bytes;
        private final long arrivalNs;

        private Frame(final byte[] bytes, final long arrivalNs) {
            this.bytes = bytes;
            this.arrivalNs = arrivalNs;
        }
    }

    private static final class Pipe {
        private final ArrayDeque<Frame> frames = new ArrayDeque<>();
        private final int capacity;
        private int length;
        private long lastArrivalNs;

        private Pipe(final int capacity) {
            this.capacity = capacity;
        }
    }

    long id() {
        return id;
    }

    /** Whether the connection is lost; what has arrived before is still there. */
    boolean isCut() {
        return isCut;
    }

    void cut() {
        if (!isCut) {
            isCut = true;
            loseSome(toBroker);
            loseSome(toClient);
        }
    }

    /** The broker has closed the connection in order: what it has sent arrives. */
    void close() {
        isCut = true;
        toBroker.frames.clear();
    }

    boolean isIdle() {
        return toBroker.frames.isEmpty() && toClient.frames.isEmpty();
    }

    /** Takes a frame from the client, unless there is no room. */
    boolean sendToBroker(final byte[] frame) {
        return !isCut && send(toBroker, network.commandTamper.apply(frame));
    }

    boolean hasRoomToClient() {
        return toClient.length < toClient.capacity;
    }

    void sendToClient(final byte[] frame) {
        if (!isCut) {
            final byte[] changed = network.tamper.onFrame(this, frame);
            if (changed != null) {
                put(toClient, changed);
            }
        }
    }

    /** The next frame for the broker that has arrived; it stays there until it is taken. */
    byte @Nullable [] peekForBroker() {
        return peek(toBroker);
    }

    void takeForBroker() {
        toBroker.length -= toBroker.frames.remove().bytes.length;
    }

    byte @Nullable [] pollForClient() {
        final byte[] frame = peek(toClient);
        if (frame != null) {
            toClient.length -= toClient.frames.remove().bytes.length;
        }
        return frame;
    }

    private boolean send(final Pipe pipe, final byte[] frame) {
        if (pipe.length >= pipe.capacity) {
            network.reached.add(State.BACK_PRESSURE);
            return false;
        }
        put(pipe, frame);
        return true;
    }

    private void put(final Pipe pipe, final byte[] frame) {
        pipe.lastArrivalNs = network.arrivalNs(pipe.lastArrivalNs);
        pipe.frames.add(new Frame(frame, pipe.lastArrivalNs));
        pipe.length += frame.length;
    }

    private byte @Nullable [] peek(final Pipe pipe) {
        final Frame frame = pipe.frames.peek();
        if (frame == null || (!isCut && !network.isCalm() && frame.arrivalNs > network.clock.nanoTime())) {
            return null;
        }
        return frame.bytes;
    }

    private void loseSome(final Pipe pipe) {
        final int lost = network.random.nextInt(pipe.frames.size() + 1);
        network.reached.add(State.FRAMES_LOST, lost);
        for (int i = 0; i < lost; i++) {
            pipe.frames.removeLast();
        }
    }
}
