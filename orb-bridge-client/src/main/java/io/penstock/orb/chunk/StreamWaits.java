package io.penstock.orb.chunk;

import java.io.IOException;

/**
 * Has the threads of streams wait for bytes or credit: each reads for all, or stands still while another does. Safe on any
 * thread.
 */
final class StreamWaits {
    private final ChunkConnection connection;
    private final ConnectionReads reads;
    private final ReadTurns turns;
    private final Object lock;

    StreamWaits(final ChunkConnection connection, final ConnectionReads reads) {
        this.connection = connection;
        this.reads = reads;
        turns = connection.turns();
        lock = connection.lock();
    }

    /** Reads bytes of a stream, as {@link ChunkStream#read} says. */
    int read(final ChunkStream stream, final byte[] bytes, final int offset, final int count, final long deadlineNs)
            throws IOException {
        final StreamInput input = stream.input();
        boolean isWaiting = false;
        while (true) {
            final boolean isWanted;
            synchronized (lock) {
                if (input.isReady()) {
                    final int heldLength = input.heldLength();
                    final int taken = stream.take(bytes, offset, count);
                    connection.giveBack(heldLength - input.heldLength());
                    afterRead(stream);
                    turns.passOn();
                    return taken;
                }
                if (stream.isTurn()) {
                    turns.passOn();
                    return -1;
                }
                checkGoesOn(stream);
                if (!isWaiting) {
                    isWaiting = true;
                    input.target(bytes, offset, count);
                }
                input.isReading(turns.leadOrWait(input.reader()));
                isWanted = connection.isCaller() && turns.isReaderWanted();
            }
            if (isWanted) {
                ManyReader.start(connection);
            }
            if (input.isReading()) {
                readOwn(stream, deadlineNs);
            } else {
                awaitBytes(stream, deadlineNs);
            }
        }
    }

    /** A stream that is answered and read is removed. */
    private void afterRead(final ChunkStream stream) {
        if (connection.isCaller() && stream.isTurn() && stream.input().length() == 0) {
            connection.remove(stream);
        }
    }

    private void checkGoesOn(final ChunkStream stream) throws IOException {
        if (stream.end() != null) {
            turns.passOn();
            throw new IOException(stream.end().getMessage(), stream.end());
        }
        connection.checkOpen();
    }

    /** Whatever happens, nothing is put into the reader's array after this except what the reader takes itself. */
    private void awaitBytes(final ChunkStream stream, final long deadlineNs) throws IOException {
        try {
            flushIfRead();
            turns.park(stream.input().reader(), deadlineNs);
            awaitUnclaimed(stream.input());
        } catch (final IOException e) {
            awaitUnclaimed(stream.input());
            dropTarget(stream);
            throw e;
        }
    }

    /**
     * Sends frames that this thread has deferred before it waits, unless the reading thread does so when it begins to
     * wait.
     */
    private void flushIfRead() throws IOException {
        if (reads.isAtSystem() || !connection.isCaller()) {
            connection.flush();
        }
    }

    /** Waits while another thread reads into the array; its read times out soon. */
    private void awaitUnclaimed(final StreamInput input) {
        boolean isInterrupted = false;
        synchronized (lock) {
            while (input.isClaimed()) {
                try {
                    lock.wait();
                } catch (final InterruptedException e) {
                    isInterrupted = true;
                }
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads for all until there is something for this one, or its end. */
    private void readOwn(final ChunkStream stream, final long deadlineNs) throws IOException {
        boolean isDone = false;
        try {
            while (!isDone) {
                reads.readInTime(deadlineNs);
                synchronized (lock) {
                    isDone = stream.input().isReady() || stream.isOver();
                }
                if (!isDone) {
                    connection.listener().onReadOn();
                }
            }
        } finally {
            if (!isDone) {
                dropTarget(stream);
            }
            stream.input().isReading(false);
            turns.end();
        }
    }

    private void dropTarget(final ChunkStream stream) {
        synchronized (lock) {
            stream.dropTarget();
        }
    }

    /** Credit for at least one byte; -1 when the other side has answered already, and wants no more. */
    int takeCredit(final ChunkStream stream, final int count, final long deadlineNs) throws IOException {
        final StreamOutput output = stream.output();
        while (true) {
            final boolean isLeading;
            synchronized (lock) {
                if (stream.isTurn()) {
                    turns.passOn();
                    return -1;
                }
                checkGoesOn(stream);
                if (output.credit() > 0) {
                    final int taken = Math.min(count, output.credit());
                    output.credit(-taken);
                    turns.passOn();
                    return taken;
                }
                isLeading = turns.leadOrWait(output.creditor());
            }
            if (isLeading) {
                readForCredit(stream, deadlineNs);
            } else {
                flushIfRead();
                turns.park(output.creditor(), deadlineNs);
            }
        }
    }

    private void readForCredit(final ChunkStream stream, final long deadlineNs) throws IOException {
        boolean isDone = false;
        try {
            while (!isDone) {
                reads.readInTime(deadlineNs);
                synchronized (lock) {
                    isDone = stream.output().credit() > 0 || stream.isOver();
                }
                connection.listener().onReadOn();
            }
        } finally {
            turns.end();
        }
    }
}
