package io.penstock.standalone.message;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files that producers deliver, each one's turn, and what became of them. Safe on any thread. */
final class PutWork {
    private final ArrayDeque<String> files;
    private final List<String> failures = new ArrayList<>();
    private int doneCount;

    PutWork(final List<String> files) {
        this.files = new ArrayDeque<>(files);
    }

    /** The next file, or null. */
    synchronized @Nullable String next() {
        return files.poll();
    }

    synchronized void onDone() {
        doneCount++;
    }

    synchronized void onFailed(final String reason) {
        failures.add(reason);
    }

    synchronized int doneCount() {
        return doneCount;
    }

    synchronized List<String> failures() {
        return List.copyOf(failures);
    }
}
