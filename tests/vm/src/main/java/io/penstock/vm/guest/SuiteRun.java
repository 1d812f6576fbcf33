package io.penstock.vm.guest;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.penstock.transport.tck.Traffic;
import io.penstock.vm.Suite;
import io.penstock.vm.SuiteResult;
import io.penstock.vm.Suites;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.junit.platform.reporting.legacy.xml.LegacyXmlReportGeneratingListener;

/** Runs one suite, {@code NAME FOLDER}, or one test of it, {@code NAME FOLDER METHOD}, and leaves its result and JUnit's XML in the folder. */
public final class SuiteRun {
    private static final int FAILURES_MAX = 5;
    private static final int FAILURE_LENGTH_MAX = 300;

    private SuiteRun() {}

    /**
     * Runs it.
     *
     * @param args name and folder, and perhaps a method.
     * @throws IOException when the result cannot be written.
     */
    public static void main(final String[] args) throws IOException {
        final Suite suite = Suites.named(args[0]);
        final Path folder = Path.of(args[1]);
        final PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        final LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        if (args.length > 2) {
            suite.tests().forEach(each -> request.selectors(selectMethod(each, args[2])));
        } else {
            suite.tests().forEach(each -> request.selectors(selectClass(each)));
        }
        final TestExecutionSummary summary = run(request.build(), folder, out);
        summary.printFailuresTo(out, 100);
        // Threads that a failed test left behind must not keep the suite from ending.
        out.flush();
        System.exit(summary.getTotalFailureCount() == 0 ? 0 : 1);
    }

    private static TestExecutionSummary run(
            final LauncherDiscoveryRequest request, final Path folder, final PrintWriter out) throws IOException {
        final SummaryGeneratingListener summaries = new SummaryGeneratingListener();
        final DeviceCounters before = DeviceCounters.read();
        final long startNs = System.nanoTime();
        LauncherFactory.create()
                .execute(
                        request,
                        summaries,
                        new ProgressListener(out),
                        new LegacyXmlReportGeneratingListener(folder, out));
        final long ns = System.nanoTime() - startNs;
        final DeviceCounters after = DeviceCounters.read();
        out.println("counters: " + after.minus(before));
        final TestExecutionSummary summary = summaries.getSummary();
        new SuiteResult(
                        summary.getTestsSucceededCount(),
                        summary.getTotalFailureCount(),
                        summary.getTestsSkippedCount() + summary.getTestsAbortedCount(),
                        Traffic.bytesSent(),
                        after.minus(before).packetsSent(),
                        ns,
                        failures(summary))
                .write(folder);
        return summary;
    }

    private static String failures(final TestExecutionSummary summary) {
        return summary.getFailures().stream()
                .limit(FAILURES_MAX)
                .map(SuiteRun::text)
                .collect(Collectors.joining("; "));
    }

    private static String text(final TestExecutionSummary.Failure failure) {
        final String message =
                String.valueOf(failure.getException()).replaceAll("\\s+", " ").strip();
        return failure.getTestIdentifier().getDisplayName() + ": "
                + message.substring(0, Math.min(message.length(), FAILURE_LENGTH_MAX));
    }
}
