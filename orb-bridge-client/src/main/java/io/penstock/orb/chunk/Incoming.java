package io.penstock.orb.chunk;

import java.io.IOException;

/** Handles the frames of a connection. Called by the thread that reads it. */
final class Incoming implements FrameReader.Sink {
    private final ChunkConnection connection;

    Incoming(final ChunkConnection connection) {
        this.connection = connection;
    }

    @Override
    public ChunkStream onData(final int id, final int flags, final int length) throws IOException {
        if (length > connection.own().frameLengthMax() - ChunkFrame.HEADER_LENGTH) {
            throw wrong("frame too long: " + length + " bytes, at most "
                    + (connection.own().frameLengthMax() - ChunkFrame.HEADER_LENGTH));
        }
        if (!connection.isCaller() && (flags & ChunkFrame.TURN) != 0) {
            throw wrong("stream " + id + " cannot end its turn: this side answers");
        }
        final ChunkStream stream;
        synchronized (connection.lock()) {
            stream = (flags & ChunkFrame.BEGIN) != 0
                    ? begun(id)
                    : connection.streams().get(id);
            if (stream != null && !stream.receive(length)) {
                throw wrong("stream " + id + " has sent more than it had credit for");
            }
            if (stream != null || (flags & ChunkFrame.BEGIN) == 0) {
                return stream;
            }
        }
        final boolean unused = connection.turns().wakeNoted();
        connection.sendControl(
                ChunkFrame.RESET,
                id,
                "chunk: too many streams on a connection: " + connection.own().streamCountMax()
                        + " (use more connections)");
        return null;
    }

    private ChunkStream begun(final int id) throws IOException {
        if (connection.isCaller() || id == 0 || connection.streams().get(id) != null) {
            throw wrong("stream " + id + " cannot begin: "
                    + (connection.isCaller() ? "this side begins them" : "it is there already"));
        }
        if (connection.streamCount() >= connection.own().streamCountMax()) {
            return null;
        }
        final ChunkStream stream = new ChunkStream(
                connection,
                id,
                connection.own().windowLength(),
                connection.peer().windowLength());
        connection.streams().add(stream);
        return stream;
    }

    private WrongFrameException wrong(final String what) {
        return new WrongFrameException("chunk: " + what + " (the connection is closed)");
    }

    @Override
    public void onBytes(
            final ChunkStream stream, final byte[] bytes, final int offset, final int count, final int flags) {
        final boolean isHeld;
        synchronized (connection.lock()) {
            if (stream.isOver() || connection.end() != null) {
                return;
            }
            final StreamInput input = stream.input();
            final int some = input.putToTarget(bytes, offset, count);
            final int left = count - some;
            final int growth = input.growth(left);
            isHeld = growth == 0 || connection.listener().hold(growth);
            if (isHeld) {
                input.put(bytes, offset + some, left);
                come(stream, flags);
            }
        }
        if (!isHeld) {
            final boolean unused = connection.turns().wakeNoted();
            connection.reset(stream, "chunk: no memory left for bytes that wait (try again, or send less at once)");
        }
    }

    /** Its thread goes on, or one is found for it, when there is enough. */
    private void come(final ChunkStream stream, final int flags) {
        if ((flags & ChunkFrame.TURN) != 0) {
            stream.turn();
            connection.turns().note(stream.output().creditor());
            connection.turns().note(stream.input().reader());
        }
        if (stream.input().come(flags)) {
            connection.turns().note(stream.input().reader());
            if (!stream.isHeld()) {
                connection.listener().onBytes(stream);
            }
        }
    }

    @Override
    public void onCredit(final int id, final int count) throws IOException {
        synchronized (connection.lock()) {
            final ChunkStream stream = connection.streams().get(id);
            if (stream != null) {
                if (count <= 0 || stream.output().credit() + count < 0) {
                    throw wrong("stream " + id + " gives wrong credit: " + count);
                }
                stream.output().credit(count);
                connection.turns().note(stream.output().creditor());
            }
        }
    }

    @Override
    public void onReset(final int id, final String reason) {
        synchronized (connection.lock()) {
            final ChunkStream stream = connection.streams().get(id);
            if (stream != null) {
                stream.end(new IOException(reason));
                connection.wake(stream);
                connection.remove(stream);
            }
        }
    }

    @Override
    public void onClose(final String reason) throws IOException {
        throw new IOException(reason);
    }

    @Override
    public Claim claim(final ChunkStream stream, final int count) {
        Claim claim = null;
        boolean isHeld = true;
        synchronized (connection.lock()) {
            if (!stream.isOver() && connection.end() == null && stream.input().isClaimable(count)) {
                final int growth = stream.input().claimGrowth(count);
                isHeld = growth == 0 || connection.listener().hold(growth);
                if (isHeld) {
                    claim = stream.input().claim(count);
                }
            }
        }
        if (!isHeld) {
            final boolean unused = connection.turns().wakeNoted();
            connection.reset(stream, "chunk: no memory left for bytes that wait (try again, or send less at once)");
        }
        return claim;
    }

    @Override
    public void onClaimed(final ChunkStream stream, final Claim claim, final int count, final int flags) {
        synchronized (connection.lock()) {
            stream.input().claimed(claim, count);
            connection.lock().notifyAll();
            if (!stream.isOver()) {
                come(stream, flags);
            }
        }
    }
}
