package io.penstock.standalone.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Runs files of cases and reports what passed and failed, by tier and category. */
public final class ConformanceRunner {
    private final CaseFiles files = new CaseFiles();

    /** Starts with no cases. */
    public ConformanceRunner() {}

    /**
     * Reads a file of cases, or of decisions that override what cases of tier {@code choice} expect.
     *
     * @param file to read.
     * @throws IOException when it cannot be read or is not such a file.
     */
    public void read(final Path file) throws IOException {
        try {
            files.read(file);
        } catch (final JsonProcessingException e) {
            final int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new IOException(file + ":" + line + ": not JSON: " + e.getOriginalMessage(), e);
        } catch (final IllegalArgumentException | ClassCastException e) {
            throw new IOException(file + ": not a file of cases: " + e.getMessage(), e);
        }
    }

    /**
     * Runs all cases.
     *
     * @param out where to report: a table, then each failure on a line of its own.
     * @return whether every case of tier {@code core} and {@code sql} passed.
     */
    public boolean run(final PrintWriter out) {
        final Map<String, Score> scores = new TreeMap<>();
        final List<String> failures = new ArrayList<>();
        boolean isConformant = true;
        for (final ConformanceCase each : files.cases()) {
            final String mistake = CaseRun.mistake(each);
            scores.computeIfAbsent(each.tier() + " " + each.category(), Score::new)
                    .count(mistake);
            scores.computeIfAbsent(each.tier() + " (all)", Score::new).count(mistake);
            if (mistake != null) {
                failures.add(each.tier() + " " + each.id() + ": " + mistake);
                isConformant &= !each.isBinding();
            }
        }
        out.printf(Locale.ROOT, "%-28s %7s %7s%n", "tier and category", "passed", "failed");
        scores.values().forEach(score -> score.print(out));
        failures.forEach(out::println);
        files.unusedDecisions().forEach(id -> out.println("decision " + id + ": no such case"));
        out.flush();
        return isConformant;
    }

    /** How the cases of one category fared. */
    private static final class Score {
        private final String name;
        private int passedCount;
        private int failedCount;

        Score(final String name) {
            this.name = name;
        }

        void count(final @Nullable String mistake) {
            if (mistake == null) {
                passedCount++;
            } else {
                failedCount++;
            }
        }

        void print(final PrintWriter out) {
            out.printf(Locale.ROOT, "%-28s %7d %7d%n", name, passedCount, failedCount);
        }
    }
}
