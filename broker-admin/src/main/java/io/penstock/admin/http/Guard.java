package io.penstock.admin.http;

/**
 * Keeps what fails from the server's thread, which would end of an {@link Error}, also of one that a logger throws, and
 * nobody would be served any more. Safe on any thread.
 */
final class Guard {
    private final Refusals refusals;

    Guard(final Refusals refusals) {
        this.refusals = refusals;
    }

    /** The same task, which reports its failures and throws nothing. */
    Runnable guarded(final Runnable task) {
        return () -> run(task);
    }

    /** Runs something. Throws nothing: what that throws is reported. */
    void run(final Runnable task) {
        try {
            task.run();
        } catch (final Throwable e) {
            report(e);
        }
    }

    /** Reports a failure. Throws nothing. */
    void report(final Throwable failure) {
        try {
            refusals.onError(failure);
        } catch (final Throwable e) {
            // There is nowhere left to report it, and others are to be served.
            return;
        }
    }
}
