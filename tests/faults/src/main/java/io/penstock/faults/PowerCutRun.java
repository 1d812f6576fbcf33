package io.penstock.faults;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the power of a machine in which a broker runs: a kernel that is a process here, with a disk that is a file here,
 * is killed. Data that its kernel had not written to the disk is lost. Acknowledgements are recorded outside.
 */
final class PowerCutRun {
    private static final String WHAT = "power cut";
    private static final long DISK_LENGTH = 512L << 20;
    private static final long GUEST_MEMORY_LENGTH = 768L << 20;
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final int POLL_MS = 5;
    private static final int BOOT_TIMEOUT_S = 90;
    private static final int END_TIMEOUT_S = 2;
    private static final int HEAR_TIMEOUT_S = 30;

    /**
     * What has to be heard before the power is cut. A machine that has much else to do may stand still for a while after the
     * first acknowledgements; what those few say may be on its disk by then, synced or not.
     */
    private static final int HEARD_COUNT_MIN = 2_000;

    private static final int LOAD_MS_MIN = 500;
    private static final int LOAD_MS_MAX = 3_000;

    /** Loads without syncs, one of which has to lose something: a cut may come before anything was acknowledged. */
    private static final int CONTROL_COUNT_MAX = 6;

    /** Longer than a load takes, so that its disk has only synced data. */
    private static final int WRITE_BACK_S = 600;

    /** Without syncs a cut has to lose something. */
    private static final String UNSYNCED = "os";

    private static final String OUT = "/run/out";
    private static final String DISK = "/run/disk";

    private final Settings settings;
    private final Report report;
    private final Random random;

    PowerCutRun(final Settings settings, final Report report) {
        this.settings = settings;
        this.report = report;
        random = new Random(settings.seed() + 1);
    }

    void run() throws IOException, InterruptedException {
        final Path kernel = Programs.find("linux.uml", "linux");
        final Path mkfs = Programs.find("mkfs.ext4");
        if (kernel == null || mkfs == null) {
            report.skipped(WHAT, "no " + (kernel == null ? "linux.uml (apt: user-mode-linux)" : "mkfs.ext4"));
            return;
        }
        final long startNs = System.nanoTime();
        Cut control = cut(kernel, mkfs, UNSYNCED);
        for (int i = 1; i < CONTROL_COUNT_MAX && control.tally != null && control.tally.lost() == 0; i++) {
            control = cut(kernel, mkfs, UNSYNCED);
        }
        if (control.tally == null) {
            report.skipped(WHAT, "a guest does not run here: " + control.wrong);
            return;
        }
        final boolean proves = control.tally.lost() > 0;
        Tally total = Tally.NONE;
        String wrong = null;
        int cuts = 0;
        while (wrong == null && cuts < settings.cutCount()) {
            final Cut cut = cut(kernel, mkfs, "always");
            cuts++;
            total = cut.tally == null ? total : total.plus(cut.tally);
            wrong = cut.wrong;
            if (wrong == null && cut.tally != null && (!cut.tally.isGood() || cut.tally.acknowledged() == 0)) {
                wrong = "cut " + cuts + ": " + cut.tally;
            }
            report.progress(WHAT, cuts, settings.cutCount(), total);
        }
        if (wrong == null && !proves) {
            wrong = "this proves nothing: without syncs nothing was lost either";
        }
        report.done(
                WHAT,
                cuts + " cuts",
                total + "; without syncs, as it must be, lost " + String.format("%,d", control.tally.lost()) + " of "
                        + String.format("%,d", control.tally.acknowledged()),
                wrong,
                System.nanoTime() - startNs);
    }

    /** One machine: boot, load, cut, boot, check. */
    private Cut cut(final Path kernel, final Path mkfs, final String sync) throws IOException, InterruptedException {
        final Path folder = Folders.fresh(settings.work().resolve("cut"));
        final Path disk = folder.resolve("disk");
        try (RandomAccessFile file = new RandomAccessFile(disk.toFile(), "rw")) {
            file.setLength(DISK_LENGTH);
        }
        if (new ProcessBuilder(mkfs.toString(), "-q", disk.toString())
                        .inheritIO()
                        .start()
                        .waitFor()
                != 0) {
            return new Cut(null, "mkfs.ext4 failed");
        }
        final Path heard = folder.resolve("heard");
        final String[] load = {"guest-load", DISK + "/log", sync};
        try (Machine machine = new Machine(kernel, folder, heard, load)) {
            if (!machine.await(Guest.READY)) {
                return new Cut(null, "no broker after " + BOOT_TIMEOUT_S + " s: " + tail(heard));
            }
            final int loadMs = LOAD_MS_MIN + random.nextInt(LOAD_MS_MAX - LOAD_MS_MIN);
            machine.awaitHeard(sync.equals(UNSYNCED) ? HEARD_COUNT_MIN : 1);
            TimeUnit.MILLISECONDS.sleep(loadMs);
        }
        final Path result = folder.resolve("result");
        try (Machine machine = new Machine(kernel, folder, result, "guest-check", DISK + "/log", OUT + "/heard")) {
            machine.await(Guest.RESULT);
        }
        return Cut.parse(result);
    }

    private static String tail(final Path file) throws IOException {
        final List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        return String.join(" / ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
    }

    /** What came of it; no tally when the machine did not get so far. */
    private record Cut(@Nullable Tally tally, @Nullable String wrong) {
        static Cut parse(final Path result) throws IOException {
            for (final String line : Files.readAllLines(result, StandardCharsets.ISO_8859_1)) {
                if (line.startsWith(Guest.RESULT)) {
                    final String[] fields =
                            line.substring(Guest.RESULT.length()).strip().split(" ", 5);
                    return new Cut(
                            new Tally(
                                    Long.parseLong(fields[0]),
                                    Long.parseLong(fields[1]),
                                    Long.parseLong(fields[2]),
                                    Long.parseLong(fields[3])),
                            fields.length > 4 ? fields[4] : null);
                }
            }
            return new Cut(null, "the check has not ended: " + tail(result));
        }
    }

    /** A guest that runs one command of this program, with the disk mounted. Closed, it has no power. */
    private static final class Machine implements AutoCloseable {
        private final Process process;
        private final Path printed;
        private final CountDownLatch ended = new CountDownLatch(1);
        private final Queue<String> seen = new ConcurrentLinkedQueue<>();
        private final Acknowledged heard = new Acknowledged(Settings.PUBLISHER_COUNT);

        private Machine(final Path kernel, final Path folder, final Path printed, final String... command)
                throws IOException {
            this.printed = printed;
            final Path init = folder.resolve("init");
            Files.writeString(init, script(folder, command));
            Files.setPosixFilePermissions(init, PosixFilePermissions.fromString("rwxr-xr-x"));
            final ProcessBuilder builder = new ProcessBuilder(List.of(
                            kernel.toString(),
                            "mem=" + GUEST_MEMORY_LENGTH,
                            "root=/dev/root",
                            "rootfstype=hostfs",
                            "rootflags=/",
                            "ro",
                            "ubd0=" + folder.resolve("disk"),
                            "init=" + init,
                            "quiet",
                            "con=null",
                            "con0=null,fd:1"))
                    .redirectErrorStream(true);
            // Its memory is a file there, which no disk is to write.
            builder.environment().put("TMPDIR", (isRoomInMemory() ? MEMORY : folder).toString());
            process = builder.start();
            process.getOutputStream().close();
            final Thread reader = new Thread(this::read, "guest-output");
            reader.setDaemon(true);
            reader.start();
        }

        private static boolean isRoomInMemory() throws IOException {
            return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= 2 * GUEST_MEMORY_LENGTH;
        }

        private static String script(final Path folder, final String... command) {
            final List<String> java = new ArrayList<>(List.of(
                    "'" + Path.of(System.getProperty("java.home"), "bin", "java") + "'",
                    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xmx256m -Djava.io.tmpdir=/run",
                    "-cp '" + classPath() + "'",
                    Main.class.getName()));
            java.addAll(List.of(command));
            return String.join(
                    "\n",
                    "#!/bin/sh",
                    "export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb",
                    "mount -t proc p /proc; mount -t sysfs s /sys; mount -t tmpfs t /run",
                    "ip link set lo up 2>/dev/null || ifconfig lo 127.0.0.1 up",
                    "mkdir -p " + DISK + " " + OUT,
                    "mount -t hostfs -o '" + folder + "' out " + OUT,
                    // Its kernel writes nothing back by itself: not in time, and not because there is much.
                    "echo 0 > /proc/sys/vm/dirty_writeback_centisecs",
                    "echo 95 > /proc/sys/vm/dirty_ratio; echo 90 > /proc/sys/vm/dirty_background_ratio",
                    "mount -t ext4 -o commit=" + WRITE_BACK_S + " /dev/ubda " + DISK,
                    "cd /run; " + String.join(" ", java) + " 2>&1",
                    "sleep 1000",
                    "");
        }

        /** This program's, good in whatever directory the guest's Java is started. */
        private static String classPath() {
            return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                    .map(entry -> Path.of(entry).toAbsolutePath().toString())
                    .collect(Collectors.joining(File.pathSeparator));
        }

        private void read() {
            try (BufferedReader lines = new BufferedReader(
                            new InputStreamReader(process.getInputStream(), StandardCharsets.ISO_8859_1));
                    PrintWriter file = new PrintWriter(printed.toFile(), StandardCharsets.ISO_8859_1)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    file.println(line);
                    // At once: what the machine leaves behind when it has no power may keep this from its end.
                    file.flush();
                    heard.hear(line);
                    if (line.startsWith("guest: ")) {
                        seen.add(line);
                    }
                }
            } catch (final IOException e) {
                // The power is off.
            }
            ended.countDown();
        }

        /** Waits for a line. */
        boolean await(final String line) throws InterruptedException {
            final long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(BOOT_TIMEOUT_S) && process.isAlive()) {
                if (hasSeen(line)) {
                    return true;
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
            return hasSeen(line);
        }

        /** Waits until that much is acknowledged, or for so long. */
        void awaitHeard(final long count) throws InterruptedException {
            final long startNs = System.nanoTime();
            while (heard.count() < count
                    && System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(HEAR_TIMEOUT_S)
                    && process.isAlive()) {
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
        }

        private boolean hasSeen(final String start) {
            return seen.stream().anyMatch(line -> line.startsWith(start));
        }

        @Override
        public void close() throws IOException {
            final List<ProcessHandle> all =
                    new ArrayList<>(process.descendants().toList());
            process.destroyForcibly();
            all.forEach(ProcessHandle::destroyForcibly);
            try {
                process.waitFor();
                for (final ProcessHandle each : all) {
                    // As they are not children of this process nobody says when they end.
                    while (each.isAlive()) {
                        TimeUnit.MILLISECONDS.sleep(POLL_MS);
                    }
                }
                if (!ended.await(END_TIMEOUT_S, TimeUnit.SECONDS)) {
                    process.getInputStream().close();
                }
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
