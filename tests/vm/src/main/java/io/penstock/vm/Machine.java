package io.penstock.vm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One run of the emulator, always under a time limit. */
final class Machine {
    private static final Path KVM = Path.of("/dev/kvm");
    private static final int PROBE_LIMIT_S = 6;
    private static final int PROBE_MEMORY_MIB = 512;

    /** Each is a NUMA node of its own. */
    private static final int CPUS = 2;

    private static final String QUIET = "console=ttyS0 quiet loglevel=2 panic=-1 mitigations=off nokaslr audit=0";

    private final Path qemu;
    private final KernelImage image;
    private final Path initramfs;
    private final Path share;

    Machine(final Path qemu, final KernelImage image, final Path initramfs, final Path share) {
        this.qemu = qemu;
        this.image = image;
        this.initramfs = initramfs;
        this.share = share;
    }

    /** Whether the hardware runs guests. The file alone does not show it: a kernel boots to its end, or it does not. */
    boolean canUseKvm() throws IOException, InterruptedException {
        if (!Files.isReadable(KVM) || !Files.isWritable(KVM)) {
            return false;
        }
        final boolean[] isUp = {false};
        final List<String> command = command(true, PROBE_LIMIT_S, PROBE_MEMORY_MIB, Initramfs.PROBE);
        run(command, share.resolve("probe.log"), line -> isUp[0] |= line.startsWith(Initramfs.IS_UP));
        return isUp[0];
    }

    /**
     * Runs the guest until it powers itself off, or the time is up.
     *
     * @param onLine notified of each line on its console.
     */
    void run(
            final boolean isKvm,
            final int limitS,
            final int memoryMib,
            final List<String> more,
            final Consumer<String> onLine)
            throws IOException, InterruptedException {
        final List<String> command = command(isKvm, limitS, memoryMib, "");
        command.addAll(more);
        run(command, share.resolve("console.log"), onLine);
    }

    private List<String> command(final boolean isKvm, final int limitS, final int memoryMib, final String append) {
        final List<String> command = new ArrayList<>(List.of("timeout", "-k", "2", String.valueOf(limitS)));
        command.addAll(List.of(qemu.toString(), "-machine", "q35,usb=off", "-display", "none", "-vga", "none"));
        command.addAll(List.of("-serial", "stdio", "-monitor", "none", "-nic", "none", "-no-reboot"));
        command.addAll(
                isKvm
                        ? List.of("-accel", "kvm", "-cpu", "host")
                        : List.of("-accel", "tcg,thread=multi,tb-size=512", "-cpu", "max"));
        command.addAll(List.of("-smp", String.valueOf(CPUS), "-m", memoryMib + "M", "-device", "virtio-rng-pci"));
        // Two NUMA nodes, each with a CPU and half of the memory.
        for (int node = 0; node < CPUS; node++) {
            command.addAll(
                    List.of("-object", "memory-backend-ram,id=memory" + node + ",size=" + memoryMib / CPUS + "M"));
            command.addAll(List.of("-numa", "node,nodeid=" + node + ",cpus=" + node + ",memdev=memory" + node));
        }
        command.addAll(List.of("-kernel", image.kernel().toString(), "-initrd", initramfs.toString()));
        command.addAll(List.of("-append", QUIET + " " + append));
        command.addAll(List.of("-virtfs", directory("/", Initramfs.HOST_TAG) + ",readonly=on"));
        command.addAll(List.of("-virtfs", directory(share.toString(), Initramfs.SHARE_TAG)));
        return command;
    }

    private static String directory(final String path, final String tag) {
        return "local,path=" + path.replace(",", ",,") + ",mount_tag=" + tag + ",security_model=none,multidevs=remap";
    }

    private static void run(final List<String> command, final Path log, final Consumer<String> onLine)
            throws IOException, InterruptedException {
        final long startNs = System.nanoTime();
        final Process process =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        final Thread end = new Thread(() -> process.descendants().forEach(ProcessHandle::destroyForcibly));
        Runtime.getRuntime().addShutdownHook(end);
        process.getOutputStream().close();
        try (BufferedReader lines =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                PrintWriter file = new PrintWriter(log.toFile(), StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                file.printf("%7.2f %s%n", (System.nanoTime() - startNs) / 1e9, line.stripTrailing());
                file.flush();
                onLine.accept(line.strip());
            }
        }
        process.waitFor();
        Runtime.getRuntime().removeShutdownHook(end);
    }
}
