package io.penstock.transport.stream;

import java.io.IOException;
import java.util.Set;

/**
 * What distinguishes one medium of sockets from another.
 *
 * @param scheme        of its endpoints.
 * @param options       that its endpoints may have, each as {@code name=value}, beside {@link StreamEndpoint#UNIT}
 *                      where units are bounded.
 * @param sendLengthMax the most bytes of one call to send, unless an endpoint says less; {@link #UNBOUNDED} for media
 *                      that do not care.
 * @param check         asked about each new connection.
 */
public record StreamMedium(String scheme, Set<String> options, int sendLengthMax, Check check) {
    /** Each call sends all there is. */
    public static final int UNBOUNDED = Integer.MAX_VALUE;

    /** Looks at what a connection has become. Called by the agent that owns the transport. */
    public interface Check {
        /**
         * Says which medium a new connection uses.
         *
         * @param socket   which is connected.
         * @param endpoint that was connected to, or listened on.
         * @return the scheme that {@link io.penstock.transport.Connection#peer()} shall name.
         * @throws IOException when the connection must not be used; it is closed then.
         */
        String schemeOf(StreamSocket socket, StreamEndpoint endpoint) throws IOException;
    }

    /**
     * A medium without options, whose connections are always what they are asked to be.
     *
     * @param scheme of its endpoints.
     * @return the medium.
     */
    public static StreamMedium plain(final String scheme) {
        return new StreamMedium(scheme, Set.of(), UNBOUNDED, (socket, endpoint) -> scheme);
    }
}
