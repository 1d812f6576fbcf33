package io.penstock.vm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The first file system of the guest: it loads what reaches the host's files, lays memory over them, so that the guest
 * can write where it likes and the host sees nothing of it, and goes on there.
 */
final class Initramfs {
    /** On the kernel's command line: only say that it has come so far. */
    static final String PROBE = "penstock.probe";

    /** What it says. */
    static final String IS_UP = "vm: is up";

    static final String HOST_TAG = "host";
    static final String SHARE_TAG = "share";

    private static final List<String> MODULES = List.of("virtio_pci", "virtio_rng", "9pnet_virtio", "9p", "overlay");

    private Initramfs() {}

    /**
     * Writes it.
     *
     * @param file    to write.
     * @param image   the kernel.
     * @param busybox a static one.
     * @param share   folder that both sides write.
     * @param script  in that folder, which the guest runs.
     */
    static void write(final Path file, final KernelImage image, final Path busybox, final Path share, final Path script)
            throws IOException {
        try (CpioWriter out = new CpioWriter(file)) {
            for (final String folder : List.of("bin", "proc", "sys", "dev", "modules", "host", "memory", "root")) {
                out.folder(folder);
            }
            out.file("bin/busybox", Files.readAllBytes(busybox));
            int number = 100;
            for (final Path module : image.filesOf(MODULES)) {
                out.file("modules/" + number++ + "-" + module.getFileName(), Files.readAllBytes(module));
            }
            out.file("init", init(share, script).getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String init(final Path share, final Path script) {
        return String.join(
                "\n",
                "#!/bin/busybox sh",
                "b=/bin/busybox",
                "off() { echo \"vm: failed: $*\"; $b poweroff -f; $b sleep 60; }",
                "$b mount -t proc proc /proc && $b mount -t sysfs sys /sys && $b mount -t devtmpfs dev /dev || off mount",
                "for m in /modules/*; do",
                "  case $m in *.xz) $b xz -dc $m >/module; m=/module ;; esac",
                "  $b insmod $m || off insmod $m",
                "done",
                "case $($b cat /proc/cmdline) in *" + PROBE + "*) echo '" + IS_UP
                        + "'; $b poweroff -f; $b sleep 60 ;; esac",
                "p9='trans=virtio,version=9p2000.L,msize=512000'",
                "$b mount -t 9p -o $p9,ro,cache=loose " + HOST_TAG + " /host || off mount host",
                "$b mount -t tmpfs -o size=75% memory /memory && $b mkdir /memory/upper /memory/work || off mount memory",
                "$b mount -t overlay -o lowerdir=/host,upperdir=/memory/upper,workdir=/memory/work root /root || off overlay",
                "$b mount -t 9p -o $p9,cache=mmap " + SHARE_TAG + " '/root" + share + "' || off mount share",
                "for d in proc sys dev; do $b mount --move /$d /root/$d; done",
                "$b mkdir -p /root/dev/shm /root/dev/pts",
                "for d in run dev/shm; do $b mount -t tmpfs -o size=50% memory /root/$d; done",
                "echo '" + IS_UP + "'",
                "exec $b switch_root /root /bin/sh '" + script + "'",
                "");
    }
}
