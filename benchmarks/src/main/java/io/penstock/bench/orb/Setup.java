package io.penstock.bench.orb;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a server and its callers are started.
 *
 * @param server  arguments of {@link OrbServerCommand}.
 * @param jar     with a server of another ORB, for the class path; null = none.
 * @param program that calls by CORBA; null = {@link OrbCallersCommand} by RMI.
 * @param callers arguments of those who call, after where the server is.
 */
record Setup(
        List<String> server, @Nullable Path jar, @Nullable Path program, List<String> callers) {
    static final int FRAGMENT_LENGTH = 64 * 1024;

    /** The bridge, called by the JDK's RMI as it is. */
    static Setup rmi() {
        return new Setup(List.of(OrbServerCommand.RMI), null, null, List.of());
    }

    /**
     * The bridge, called over the connections of a pool.
     *
     * @param connectionCount of the pool; 0 = as it is configured by default.
     */
    static Setup pooled(final int connectionCount) {
        return new Setup(
                List.of(OrbServerCommand.RMI),
                null,
                null,
                List.of(OrbCallersCommand.POOLED, Integer.toString(connectionCount)));
    }

    /** The JDK's plain RMI on both sides. */
    static Setup plain() {
        return new Setup(List.of(OrbServerCommand.PLAIN), null, null, List.of());
    }

    /**
     * The JDK's plain RMI over sockets that collect what they send and read in a buffer.
     *
     * @param length of the buffer in bytes.
     */
    static Setup staged(final int length) {
        return new Setup(
                List.of(OrbServerCommand.PLAIN, OrbServerCommand.BUFFER, Integer.toString(length)),
                null,
                null,
                List.of());
    }

    /**
     * The bridge, called by omniORB.
     *
     * @param programs        where omniORB is.
     * @param connectionCount of omniORB at most; 0 = its own.
     * @param fragmentLength  of long answers in bytes.
     */
    static Setup iiop(final OrbPrograms programs, final int connectionCount, final int fragmentLength) {
        return new Setup(
                List.of(OrbServerCommand.IIOP, OrbServerCommand.FRAGMENT, Integer.toString(fragmentLength)),
                null,
                programs.omniorb(),
                List.of(Integer.toString(connectionCount)));
    }

    /**
     * GlassFish's ORB, called by omniORB.
     *
     * @param programs        where both are.
     * @param connectionCount of omniORB at most; 0 = its own.
     * @param fragmentLength  of GlassFish's ORB, and its buffer, in bytes.
     */
    static Setup glassfish(final OrbPrograms programs, final int connectionCount, final int fragmentLength) {
        final Path jar = programs.glassfish();
        return new Setup(
                List.of(
                        OrbServerCommand.OTHER,
                        OrbServerCommand.FRAGMENT,
                        Integer.toString(fragmentLength),
                        OrbServerCommand.JAR,
                        jar.toString()),
                jar,
                programs.omniorb(),
                List.of(Integer.toString(connectionCount)));
    }

    boolean isCorba() {
        return program != null;
    }
}
