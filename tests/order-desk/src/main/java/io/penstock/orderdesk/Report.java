package io.penstock.orderdesk;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A line for each run, what failed of it, and the pages that it quotes. Used by one thread. */
final class Report {
    private static final String SUITE = "io.penstock.orderdesk.Main";

    private final PrintStream out;
    private int passedCount;
    private int failedCount;

    Report(final PrintStream out) {
        this.out = out;
    }

    /** Shows a page. */
    void quote(final String name, final String path, final String page) {
        out.println("       " + name + ": " + path + ": " + page);
        out.flush();
    }

    /** Something was tried, since a time. */
    void done(
            final String name, final String tried, final String result, final List<String> wrong, final long startNs) {
        if (wrong.isEmpty()) {
            passedCount++;
        } else {
            failedCount++;
        }
        out.printf(
                Locale.ROOT,
                "%-6s %s: %s: %s (%.0f s)%n",
                wrong.isEmpty() ? "ok" : "FAILED",
                name,
                tried,
                result,
                (System.nanoTime() - startNs) / 1e9);
        wrong.forEach(each -> out.println("       " + each));
        out.flush();
    }

    boolean isGood() {
        return failedCount == 0 && passedCount > 0;
    }

    /** Prints the sum, and leaves it where those of other tests are. */
    void end(final @Nullable Path file) throws IOException {
        if (file != null) {
            Files.writeString(
                    file,
                    String.format(
                            Locale.ROOT,
                            "<testsuite name=\"%s\" tests=\"%d\" errors=\"0\" failures=\"%d\" skipped=\"0\">%n"
                                    + "</testsuite>%n",
                            SUITE,
                            passedCount + failedCount,
                            failedCount));
        }
        out.printf(Locale.ROOT, "order desk: %d passed, %d failed%n", passedCount, failedCount);
        out.flush();
    }
}
