package io.penstock.vm.guest;

import java.io.PrintWriter;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Prints which test runs, so that the log of a hanging test has its name, and how long each took. */
final class ProgressListener implements TestExecutionListener {
    private final PrintWriter out;
    private long startNs;

    ProgressListener(final PrintWriter out) {
        this.out = out;
    }

    @Override
    public void executionStarted(final TestIdentifier test) {
        if (test.isTest()) {
            startNs = System.nanoTime();
            out.print(test.getLegacyReportingName() + " ");
            out.flush();
        }
    }

    @Override
    public void executionFinished(final TestIdentifier test, final TestExecutionResult result) {
        if (test.isTest()) {
            out.printf("%s %.2f s%n", result.getStatus(), (System.nanoTime() - startNs) / 1e9);
            result.getThrowable().ifPresent(throwable -> out.println("  " + throwable));
            out.flush();
        }
    }
}
