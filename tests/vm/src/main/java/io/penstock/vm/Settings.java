package io.penstock.vm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What to run, and with what.
 *
 * @param jar       this program with all it needs.
 * @param work      folder for files, shared with the guest.
 * @param reports   folder for JUnit's XML, or null.
 * @param kernels   an unpacked package of each kernel that is there.
 * @param jdks      home of each version of Java that is there.
 * @param isLong    the long form.
 * @param only      names of the suites to run; empty for all of the form.
 * @param script    lines of shell to run in the guest in place of suites, or null.
 * @param memoryMib of the guest, even: each of two nodes has half.
 */
record Settings(
        Path jar,
        Path work,
        @Nullable Path reports,
        Map<Suite.Kernel, Path> kernels,
        Map<Integer, Path> jdks,
        boolean isLong,
        List<String> only,
        @Nullable Path script,
        int memoryMib) {
    private static final int MEMORY_MIB_DEFAULT = 4_096;
    private static final int MEMORY_MIB_MIN = 1_024;
    private static final String USAGE =
            "vm: give work=FOLDER kernel=FOLDER jdk25=HOME, and new-kernel=FOLDER jdk17=HOME"
                    + " reports=FOLDER form=long only=SUITE,… script=FILE memory=MIB";
    private static final Set<String> KEYS =
            Set.of("work", "reports", "kernel", "new-kernel", "jdk17", "jdk25", "form", "only", "script", "memory");

    static Settings of(final Path jar, final String... args) {
        final Map<String, String> given = new HashMap<>();
        for (final String arg : args) {
            final int separator = arg.indexOf('=');
            if (separator < 0 || !KEYS.contains(arg.substring(0, separator))) {
                throw new IllegalArgumentException("vm: not understood: " + arg + " (" + USAGE + ")");
            }
            given.put(arg.substring(0, separator), arg.substring(separator + 1));
        }
        final Path work = folder(given, "work");
        if (work == null) {
            throw new IllegalArgumentException(USAGE);
        }
        final String form = given.getOrDefault("form", "short");
        if (!form.equals("short") && !form.equals("long")) {
            throw new IllegalArgumentException("vm: form: not known: " + form + " (use short or long)");
        }
        final Map<Suite.Kernel, Path> kernels = new HashMap<>();
        putIfThere(kernels, Suite.Kernel.STABLE, folder(given, "kernel"));
        putIfThere(kernels, Suite.Kernel.NEW, folder(given, "new-kernel"));
        final Map<Integer, Path> jdks = new HashMap<>();
        putIfThere(jdks, 17, folder(given, "jdk17"));
        putIfThere(jdks, 25, folder(given, "jdk25"));
        return new Settings(
                jar,
                work,
                folder(given, "reports"),
                Map.copyOf(kernels),
                Map.copyOf(jdks),
                form.equals("long"),
                Arrays.stream(given.getOrDefault("only", "").split(",", -1))
                        .filter(name -> !name.isEmpty())
                        .toList(),
                folder(given, "script"),
                memoryMib(given.get("memory")));
    }

    private static int memoryMib(final @Nullable String given) {
        if (given == null) {
            return MEMORY_MIB_DEFAULT;
        }
        try {
            final int memoryMib = Integer.parseInt(given);
            if (memoryMib >= MEMORY_MIB_MIN && memoryMib % 2 == 0) {
                return memoryMib;
            }
        } catch (final NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(
                "vm: memory: not a size in MiB: " + given + " (use an even number from " + MEMORY_MIB_MIN + ")");
    }

    /** The suites that are asked for. */
    List<Suite> suites() {
        return only.isEmpty()
                ? Suites.ALL.stream().filter(suite -> isLong || !suite.isLong()).toList()
                : only.stream().map(Suites::named).toList();
    }

    private static @Nullable Path folder(final Map<String, String> given, final String key) {
        final String value = given.get(key);
        return value == null || value.isEmpty() ? null : Path.of(value).toAbsolutePath();
    }

    private static <K> void putIfThere(final Map<K, Path> all, final K key, final @Nullable Path folder) {
        if (folder != null && Files.isDirectory(folder)) {
            all.put(key, folder);
        }
    }
}
