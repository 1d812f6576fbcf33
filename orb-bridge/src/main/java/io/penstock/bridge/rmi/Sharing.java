package io.penstock.bridge.rmi;

import io.penstock.orb.chunk.SegmentPool;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Serves connections that many calls share, and gives the runtime their lanes. */
interface Sharing {
    /**
     * Serves a connection until it is closed, on the calling thread and those of its lanes.
     *
     * @param socket of the client.
     * @param in     of it.
     * @param out    of it.
     * @param head   what was read of it.
     */
    void serve(CallerSocket socket, InputStream in, OutputStream out, byte[] head) throws IOException;

    /** A client speaks TLS on a plain connection. */
    void onTls(CallerSocket socket);

    /**
     * Gives the runtime a lane, for a thread of its own.
     *
     * @return false when there are too many connections.
     */
    boolean open(Lane lane);

    /**
     * Memory for bytes that wait, of all connections.
     *
     * @param length below 0 when it is given back.
     * @return false when there is no more.
     */
    boolean hold(int length);

    /**
     * Memory that can be done without.
     *
     * @return false when too little would be left for bytes that come.
     */
    boolean holdMore(int length);

    /** Memory that is kept for all connections. */
    SegmentPool segments();
}
