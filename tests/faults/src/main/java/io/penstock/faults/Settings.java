package io.penstock.faults;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What to try, and where.
 *
 * @param jar       the runnable jar.
 * @param work      folder for files, emptied.
 * @param report    file for the sum, or null.
 * @param killCount cycles of {@code kill -9}.
 * @param cutCount  power cuts.
 * @param flipCount changed bits of a log.
 * @param seed      of all that is random.
 */
record Settings(Path jar, Path work, @Nullable Path report, int killCount, int cutCount, int flipCount, long seed) {
    /** Publishers with a connection each. */
    static final int PUBLISHER_COUNT = 4;

    /** Most messages of each on their way. */
    static final int IN_FLIGHT_MAX = 256;
}
