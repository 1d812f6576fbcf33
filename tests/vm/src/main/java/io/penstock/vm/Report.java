package io.penstock.vm;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A line for each suite, and what was wrong with it. */
final class Report {
    private final List<String> cases = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();
    private final PrintStream out;
    private int failedCount;
    private int passedCount;

    Report(final PrintStream out) {
        this.out = out;
    }

    /** A suite ran, and this is wrong with it, or nothing. */
    void done(final Suite suite, final @Nullable SuiteResult result, final @Nullable String wrong) {
        if (wrong == null) {
            passedCount++;
            cases.add(testCase(suite.name(), ""));
        } else {
            failedCount++;
            cases.add(testCase(suite.name(), "<failure message=\"" + escaped(wrong) + "\"/>"));
        }
        print(wrong == null ? "ok" : "FAILED", suite.name(), result == null ? "no result" : text(result));
        if (wrong != null) {
            out.println("       " + wrong);
        }
        out.flush();
    }

    private static String text(final SuiteResult result) {
        return String.format(
                Locale.ROOT,
                "Java tests %d passed, %d failed, %d skipped; %,d bytes sent, %,d packets by the device (%.1f s)",
                result.passedCount(),
                result.failedCount(),
                result.skippedCount(),
                result.bytesSent(),
                result.packetsSent(),
                result.ns() / 1e9);
    }

    /** This machine cannot do it. */
    void skipped(final Suite suite, final String reason) {
        skipped.add(suite.name());
        cases.add(testCase(suite.name(), "<skipped message=\"" + escaped(reason) + "\"/>"));
        print("SKIP", suite.name(), reason);
        out.flush();
    }

    private void print(final String state, final String name, final String text) {
        out.printf(Locale.ROOT, "%-6s vm %-18s %s%n", state, name, text);
    }

    boolean isGood() {
        return failedCount == 0;
    }

    /** Prints the sum, and leaves it where those of other tests are. */
    void end(final @Nullable Path folder) throws IOException {
        final int count = passedCount + failedCount + skipped.size();
        if (folder != null) {
            Files.writeString(
                    Files.createDirectories(folder).resolve("TEST-io.penstock.vm.Main.xml"),
                    String.format(
                            "<testsuite name=\"io.penstock.vm.Main\" tests=\"%d\" errors=\"0\" failures=\"%d\""
                                    + " skipped=\"%d\">%n%s</testsuite>%n",
                            count, failedCount, skipped.size(), String.join("", cases)),
                    StandardCharsets.UTF_8);
        }
        out.printf("vm: suites %d passed, %d failed, %d skipped%n", passedCount, failedCount, skipped.size());
        if (!skipped.isEmpty()) {
            out.println("vm: NOT RUN: " + String.join(", ", skipped));
        }
        out.flush();
    }

    private static String testCase(final String name, final String content) {
        return "  <testcase classname=\"io.penstock.vm.Main\" name=\"" + escaped(name) + "\">" + content
                + "</testcase>\n";
    }

    private static String escaped(final String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
