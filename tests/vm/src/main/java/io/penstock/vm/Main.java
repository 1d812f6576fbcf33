package io.penstock.vm;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Path;

/** Runs the suites of the VM. Ends with exit code 1 when one of them failed. */
public final class Main {
    private Main() {}

    /**
     * Runs what is asked for.
     *
     * @param args {@code key=value}; an unknown one explains them.
     * @throws Exception when something here is broken, not what is tested.
     */
    public static void main(final String[] args) throws Exception {
        System.exit(run(Settings.of(jar(), args), System.out) ? 0 : 1);
    }

    static boolean run(final Settings settings, final PrintStream out) throws IOException, InterruptedException {
        final Report report = new Report(out);
        final Runner runner = new Runner(settings, report, out);
        if (settings.script() != null) {
            return runner.script(settings.script());
        }
        runner.suites(settings.suites());
        report.end(settings.reports());
        return report.isGood();
    }

    private static Path jar() throws URISyntaxException {
        return Path.of(
                Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
