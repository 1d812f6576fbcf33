package io.penstock.vm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A kernel as its package unpacks it, with {@code depmod} run over its modules.
 *
 * @param folder  of the package.
 * @param version of the kernel, as its modules' folder is called.
 */
record KernelImage(Path folder, String version) {
    private static final String MODULES = "lib/modules";

    /** Finds the one kernel in a folder. */
    static KernelImage in(final Path folder) throws IOException {
        final List<Path> versions;
        try (Stream<Path> all = Files.list(folder.resolve(MODULES))) {
            versions = all.toList();
        }
        if (versions.size() != 1) {
            throw new IOException(folder + ": not one kernel: " + versions + " (unpack one package into it)");
        }
        return new KernelImage(folder, String.valueOf(versions.get(0).getFileName()));
    }

    Path kernel() {
        return folder.resolve("boot").resolve("vmlinuz-" + version);
    }

    /** Where the guest has to see its modules. */
    Path modules() {
        return folder.resolve(MODULES);
    }

    /** The files of these modules and of those they need, in the order in which they can be loaded. */
    List<Path> filesOf(final List<String> names) throws IOException {
        final Path root = modules().resolve(version);
        final Map<String, List<String>> needs = new HashMap<>();
        final Map<String, String> paths = new HashMap<>();
        for (final String line : Files.readAllLines(root.resolve("modules.dep"))) {
            final int colon = line.indexOf(':');
            final String path = line.substring(0, colon);
            paths.put(nameOf(path), path);
            final String needed = line.substring(colon + 1).strip();
            needs.put(path, needed.isEmpty() ? List.of() : List.of(needed.split(" ", -1)));
        }
        final Set<String> ordered = new LinkedHashSet<>();
        for (final String name : names) {
            final String path = paths.get(name);
            // One that is not there is part of the kernel itself.
            if (path != null) {
                add(path, needs, ordered);
            }
        }
        final List<Path> files = new ArrayList<>();
        ordered.forEach(path -> files.add(root.resolve(path)));
        return files;
    }

    private static void add(final String path, final Map<String, List<String>> needs, final Set<String> ordered) {
        if (!ordered.contains(path)) {
            for (final String needed : needs.getOrDefault(path, List.of())) {
                add(needed, needs, ordered);
            }
            ordered.add(path);
        }
    }

    /** For example {@code virtio_pci} of {@code kernel/drivers/virtio/virtio-pci.ko.xz}. */
    private static String nameOf(final String path) {
        final String file = path.substring(path.lastIndexOf('/') + 1);
        return file.substring(0, file.indexOf(".ko")).replace('-', '_');
    }
}
