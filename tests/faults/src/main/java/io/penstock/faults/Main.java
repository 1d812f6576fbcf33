package io.penstock.faults;

import io.penstock.transport.RequiredFlags;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs the fault tests: {@code jar=FILE work=FOLDER [report=FILE] [kills=N] [cuts=N] [flips=N] [seed=N]}. Ends with exit code 1 when
 * something was lost or applied twice.
 */
public final class Main {
    private static final String USAGE = "faults: give jar=FILE work=FOLDER, and kills=N cuts=N flips=N seed=N";

    private Main() {}

    /**
     * Runs what is asked for.
     *
     * @param args of the command line.
     * @throws Exception when something here is broken, not what is tested.
     */
    public static void main(final String[] args) throws Exception {
        RequiredFlags.check();
        if (args.length > 0 && args[0].equals("guest-load")) {
            Guest.load(Path.of(args[1]), args[2], System.out);
            System.exit(1);
        }
        if (args.length > 0 && args[0].equals("guest-check")) {
            Guest.check(Path.of(args[1]), Path.of(args[2]), System.out);
            System.exit(0);
        }
        System.exit(run(settings(args)) ? 0 : 1);
    }

    private static Settings settings(final String[] args) {
        final Map<String, String> given = new HashMap<>();
        for (final String arg : args) {
            final int separator = arg.indexOf('=');
            if (separator < 0) {
                throw new IllegalArgumentException(USAGE);
            }
            given.put(arg.substring(0, separator), arg.substring(separator + 1));
        }
        final String jar = given.get("jar");
        final String work = given.get("work");
        if (jar == null || work == null) {
            throw new IllegalArgumentException(USAGE);
        }
        return new Settings(
                Path.of(jar).toAbsolutePath(),
                Path.of(work).toAbsolutePath(),
                given.containsKey("report") ? Path.of(given.get("report")) : null,
                Integer.parseInt(given.getOrDefault("kills", "50")),
                Integer.parseInt(given.getOrDefault("cuts", "5")),
                Integer.parseInt(given.getOrDefault("flips", "5000")),
                Long.parseLong(given.getOrDefault("seed", String.valueOf(System.nanoTime()))));
    }

    /** Power cuts take as long as everything else: both go on at the same time. */
    private static boolean run(final Settings settings) throws IOException, InterruptedException, ExecutionException {
        final Report report = new Report(System.out);
        Folders.fresh(settings.work());
        final ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            final List<Callable<Boolean>> kinds =
                    List.of(() -> cutPower(settings, report), () -> breakProcesses(settings, report));
            for (final Future<Boolean> kind : threads.invokeAll(kinds)) {
                kind.get();
            }
        } finally {
            threads.shutdown();
        }
        report.end(settings.report());
        if (report.isGood()) {
            Folders.delete(settings.work());
        }
        return report.isGood();
    }

    private static boolean cutPower(final Settings settings, final Report report)
            throws IOException, InterruptedException {
        if (settings.cutCount() > 0) {
            new PowerCutRun(settings, report).run();
        }
        return true;
    }

    private static boolean breakProcesses(final Settings settings, final Report report)
            throws IOException, InterruptedException {
        if (settings.killCount() > 0) {
            new KillRun(settings, report).run();
        }
        new FlipRun(settings, report).run();
        new FullDiskRun(settings, report).run();
        new FailingDiskRun(settings, report).run();
        return true;
    }
}
