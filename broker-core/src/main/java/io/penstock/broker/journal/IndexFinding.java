package io.penstock.broker.journal;

import org.jspecify.annotations.Nullable;

/**
 * The result of a check of a file's index, for people.
 *
 * @param name       of the index.
 * @param entryCount that the records of its file make; 0 when they cannot be read, or there is no such file.
 * @param wrong      with the index, or null.
 * @param isMade     whether it is right now, because it was made again, or deleted when it belongs to no file.
 */
public record IndexFinding(
        String name, int entryCount, @Nullable String wrong, boolean isMade) {
    /** Whether there is nothing left to mend. */
    public boolean isRight() {
        return wrong == null || isMade;
    }
}
