package io.penstock.broker.sink;

import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** The way to the sink agent, for I/O agents. */
public interface SinkPort {
    /** The port of a broker without sinks. */
    SinkPort NONE = new SinkPort() {
        @Override
        public boolean offer(final SinkCommand command) {
            return true;
        }

        @Override
        public int blockLengthMax() {
            return 0;
        }

        @Override
        public @Nullable UnsafeBuffer memory() {
            return null;
        }
    };

    /**
     * Hands a command over.
     *
     * @param command which belongs to the sink agent from now on.
     * @return false when there is no room now.
     */
    boolean offer(SinkCommand command);

    /** Longest block in bytes. */
    int blockLengthMax();

    /** Memory that blocks with room are put into; null when there are no sinks. */
    @Nullable
    UnsafeBuffer memory();
}
