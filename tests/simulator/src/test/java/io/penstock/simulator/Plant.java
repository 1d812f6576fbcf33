package io.penstock.simulator;

import io.penstock.broker.ViewConfig;
import io.penstock.broker.storage.Storage;
import org.jspecify.annotations.Nullable;

/** A bug that is put between the broker and its disk or its network. */
interface Plant {
    /** No bug. */
    Plant NONE = new Plant() {};

    /** What the broker gets for its disk. */
    default Storage wrap(final Storage storage) {
        return storage;
    }

    /** Changes files between two runs of a broker. */
    default void betweenRuns(final SimDisk disk) {}

    /** Changes what the broker sends; null leaves a frame out. */
    default byte @Nullable [] onFrame(final SimLink link, final byte[] frame) {
        return frame;
    }

    /** Has the broker compute another view than it should, in its first run or in a later one. */
    default ViewConfig view(final ViewConfig view, final int run) {
        return view;
    }

    /** Changes what the broker gets. */
    default byte[] onCommand(final byte[] frame) {
        return frame;
    }
}
