package io.penstock.standalone;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Says how to get the benchmarks, whatever is asked of them. */
@Command(name = MissingBench.NAME, description = "Measures a broker on this machine; needs penstock-benchmarks.jar.")
final class MissingBench implements Callable<Integer> {
    static final String NAME = "bench";
    static final String NOT_FOUND =
            "penstock-benchmarks.jar: not found (put it beside penstock.jar, or on the class path;"
                    + " in the sources, ./penstock bench builds it)";

    private final String reason;

    MissingBench(final String reason) {
        this.reason = reason;
    }

    static String doesNotFit(final Throwable failure) {
        return "penstock-benchmarks.jar: does not fit this penstock.jar: " + failure
                + " (use two of one version; in the sources, ./penstock bench builds them)";
    }

    @Override
    public Integer call() {
        throw CommandFailure.badInput(reason);
    }
}
