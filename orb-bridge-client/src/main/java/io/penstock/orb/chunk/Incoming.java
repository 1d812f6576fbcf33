package io.penstock.orb.chunk;

import java.io.IOException;

/** What the frames of a connection mean. Called by whoever reads it. */
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
            stream = (flags & ChunkFrame.BEGIN) != 0 ? begun(id) : connection.stream(id);
            if (stream != null && !stream.receive(length)) {
                throw wrong("stream " + id + " has sent more than it had credit for");
            }
            if (stream != null || (flags & ChunkFrame.BEGIN) == 0) {
                return stream;
            }
        }
        connection.tell(
                ChunkFrame.RESET,
                id,
                "chunk: too many streams on a connection: " + connection.own().streamCountMax()
                        + " (use more connections)");
        return null;
    }

    private ChunkStream begun(final int id) throws IOException {
        if (connection.isCaller() || id == 0 || connection.stream(id) != null) {
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
        connection.add(stream);
        return stream;
    }

    private WrongFrameException wrong(final String what) {
        return new WrongFrameException("chunk: " + what + " (the connection is closed)");
    }

    @Override
    public void onBytes(
            final ChunkStream stream, final byte[] bytes, final int offset, final int count, final boolean isTurn) {
        final boolean isHeld;
        synchronized (connection.lock()) {
            if (stream.isOver() || connection.end() != null) {
                return;
            }
            final int some = stream.putToTarget(bytes, offset, count);
            final int left = count - some;
            final int growth = stream.growth(left);
            isHeld = growth == 0 || connection.listener().hold(growth);
            if (isHeld) {
                final boolean isFirst = stream.length() == 0;
                stream.put(bytes, offset + some, left, connection.rings());
                if (isTurn) {
                    stream.turn();
                    connection.turns().wake(stream.creditor());
                }
                connection.turns().wake(stream.reader());
                if (isFirst && left > 0 && !stream.isHeld()) {
                    connection.listener().onBytes(stream);
                }
            }
        }
        if (!isHeld) {
            connection.reset(stream, "chunk: no memory left for bytes that wait (try again, or send less at once)");
        }
    }

    @Override
    public void onCredit(final int id, final int count) throws IOException {
        synchronized (connection.lock()) {
            final ChunkStream stream = connection.stream(id);
            if (stream != null) {
                if (count <= 0 || stream.credit() + count < 0) {
                    throw wrong("stream " + id + " gives wrong credit: " + count);
                }
                stream.credit(count);
                connection.turns().wake(stream.creditor());
            }
        }
    }

    @Override
    public void onReset(final int id, final String reason) {
        synchronized (connection.lock()) {
            final ChunkStream stream = connection.stream(id);
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
    public boolean claim(final ChunkStream stream) {
        synchronized (connection.lock()) {
            final boolean isWanted = !stream.isOver()
                    && stream.length() == 0
                    && stream.reader().thread() != null
                    && stream.targetRoom() >= FrameReader.DIRECT_LENGTH_MIN;
            if (isWanted) {
                stream.claim();
            }
            return isWanted;
        }
    }

    @Override
    public void onClaimed(final ChunkStream stream, final int count, final boolean isTurn) {
        synchronized (connection.lock()) {
            stream.claimed(count);
            connection.lock().notifyAll();
            if (isTurn) {
                stream.turn();
            }
            if (count > 0) {
                connection.turns().wake(stream.reader());
            }
        }
    }

    @Override
    public boolean isDrained(final ChunkStream stream) {
        synchronized (connection.lock()) {
            return stream.length() == 0;
        }
    }
}
