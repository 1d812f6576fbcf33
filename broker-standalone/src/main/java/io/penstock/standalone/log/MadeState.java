package io.penstock.standalone.log;

import io.penstock.broker.shard.recovery.StateImage;

/**
 * The state of a shard as it was made.
 *
 * @param image    to be closed.
 * @param sequence of the last record that is in it.
 */
record MadeState(StateImage image, long sequence) implements AutoCloseable {
    @Override
    public void close() {
        image.close();
    }
}
