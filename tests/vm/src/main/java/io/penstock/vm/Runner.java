package io.penstock.vm;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Boots a guest for each kernel that is needed, and looks at what comes of each suite. */
final class Runner {
    private static final int BOOT_LIMIT_S = 120;
    private static final int SCRIPT_LIMIT_S = 580;
    private static final String XML = "TEST-junit-jupiter.xml";

    private final Settings settings;
    private final Report report;
    private final PrintStream out;

    Runner(final Settings settings, final Report report, final PrintStream out) {
        this.settings = settings;
        this.report = report;
        this.out = out;
    }

    void suites(final List<Suite> suites) throws IOException, InterruptedException {
        final List<Path> programs = new ArrayList<>();
        final String missing = missing(programs);
        for (final Suite.Kernel kernel : Suite.Kernel.values()) {
            final Path folder = settings.kernels().get(kernel);
            final List<Ready> ready = new ArrayList<>();
            for (final Suite suite :
                    suites.stream().filter(each -> each.kernel() == kernel).toList()) {
                final Path jdk = settings.jdks().get(suite.jdk());
                if (missing != null) {
                    report.skipped(suite, missing);
                } else if (folder == null) {
                    report.skipped(suite, "no kernel (apt: " + kernel.debianPackage() + ")");
                } else if (jdk == null) {
                    report.skipped(suite, "no JDK " + suite.jdk());
                } else {
                    ready.add(new Ready(suite, jdk));
                }
            }
            if (folder != null && !ready.isEmpty()) {
                final String name = kernel.name().toLowerCase(Locale.ROOT);
                run(KernelImage.in(folder), Folders.fresh(settings.work().resolve(name)), ready, programs);
            }
        }
    }

    /** Runs a script in place of suites. */
    boolean script(final Path script) throws IOException, InterruptedException {
        final List<Path> programs = new ArrayList<>();
        final String missing = missing(programs);
        final Path folder = settings.kernels().containsKey(Suite.Kernel.STABLE)
                ? settings.kernels().get(Suite.Kernel.STABLE)
                : settings.kernels().get(Suite.Kernel.NEW);
        if (missing != null || folder == null) {
            out.println("vm: " + (missing == null ? "give kernel=FOLDER" : missing));
            return false;
        }
        final Path share = Folders.fresh(settings.work());
        final KernelImage image = KernelImage.in(folder);
        final GuestScript guest = new GuestScript(image, settings.jar(), share);
        guest.script(script);
        final Machine machine = machine(programs, image, guest, share);
        final boolean[] isGood = {false};
        machine.run(machine.canUseKvm(), SCRIPT_LIMIT_S, settings.memoryMib(), List.of(), line -> {
            out.println(line);
            isGood[0] |= line.equals("vm: exit code 0");
        });
        return isGood[0];
    }

    /** What this machine has not, or null; those that it has are in the list. */
    private static @Nullable String missing(final List<Path> programs) {
        for (final Map.Entry<String, String> each : List.of(
                Map.entry("qemu-system-x86_64", "qemu-system-x86"),
                Map.entry("busybox", "busybox-static"),
                Map.entry("modprobe", "kmod"),
                Map.entry("rdma", "iproute2"))) {
            final Path program = Programs.find(each.getKey());
            if (program == null) {
                return "no " + each.getKey() + " (apt: " + each.getValue() + ")";
            }
            programs.add(program);
        }
        return null;
    }

    private Machine machine(
            final List<Path> programs, final KernelImage image, final GuestScript guest, final Path share)
            throws IOException {
        final Path script = share.resolve("guest.sh");
        Files.writeString(script, guest.text());
        final Path initramfs = share.resolve("initramfs");
        Initramfs.write(initramfs, image, programs.get(1), share, script);
        return new Machine(programs.get(0), image, initramfs, share);
    }

    private void run(final KernelImage image, final Path share, final List<Ready> suites, final List<Path> programs)
            throws IOException, InterruptedException {
        final long startNs = System.nanoTime();
        // How the suites run depends on how the guest does, so they are added when that is known.
        final boolean isKvm = machine(programs, image, new GuestScript(image, settings.jar(), share), share)
                .canUseKvm();
        final GuestScript guest = new GuestScript(image, settings.jar(), share);
        int limitS = BOOT_LIMIT_S;
        for (final Ready each : suites) {
            Files.createDirectories(share.resolve(each.suite.name()));
            guest.suite(each.suite, each.jdk, !isKvm);
            limitS += each.suite.limitS();
        }
        out.printf("vm: Linux %s, %s, %d suites%n", image.version(), isKvm ? "KVM" : "emulated", suites.size());
        out.flush();
        final Map<String, Suite> waiting = new LinkedHashMap<>();
        suites.forEach(each -> waiting.put(each.suite.name(), each.suite));
        final String[] failure = {"the guest ended before it: see " + share};
        machine(programs, image, guest, share).run(isKvm, limitS, settings.memoryMib(), List.of(), line -> {
            if (line.startsWith(GuestScript.FAILED)) {
                failure[0] = line;
            } else if (line.startsWith(GuestScript.END)) {
                final String[] words = line.substring(GuestScript.END.length()).split(" ", -1);
                final Suite suite = waiting.remove(words[0]);
                if (suite != null) {
                    onEnd(suite, words[1], share.resolve(words[0]));
                }
            }
        });
        waiting.values().forEach(suite -> report.done(suite, null, failure[0]));
        out.printf("vm: %.0f s%n", (System.nanoTime() - startNs) / 1e9);
        Files.delete(share.resolve("initramfs"));
    }

    private void onEnd(final Suite suite, final String exitCode, final Path folder) {
        try {
            final SuiteResult result = SuiteResult.read(folder);
            report.done(suite, result, Verdict.on(suite, result, exitCode));
            final Path reports = settings.reports();
            if (reports != null) {
                Files.copy(
                        folder.resolve(XML),
                        Files.createDirectories(reports).resolve("TEST-" + suite.name() + ".xml"),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (final IOException e) {
            report.done(suite, null, "it ended with exit code " + exitCode + ": " + tail(folder.resolve("log")));
        }
    }

    private static String tail(final Path log) {
        try (Stream<String> lines = Files.lines(log)) {
            final List<String> all = lines.toList();
            return String.join(" / ", all.subList(Math.max(0, all.size() - 8), all.size()));
        } catch (final IOException e) {
            return e.toString();
        }
    }

    /** A suite, and the Java for it. */
    private record Ready(Suite suite, Path jdk) {}
}
