package io.penstock.broker;

import io.penstock.broker.storage.Storage;
import io.penstock.file.FileErrors;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Spoils every file of a directory in every way, one at a time, and reports in which cases the directory opened with
 * lost data, or was refused with an unhelpful message.
 */
final class FileSweep {
    /** Odd lengths that each file is cut to. The long form: {@code -Dpenstock.sweep=200}, which cuts at each block, too. */
    static final int CUT_COUNT = Integer.getInteger("penstock.sweep", Boolean.getBoolean("penstock.second") ? 2 : 6);

    private static final int BLOCK_CUT_COUNT_MAX = Boolean.getBoolean("penstock.second") ? 15 : 50;
    private static final long SEED = Long.getLong("penstock.seed", 20_261_124L);
    private static final int BLOCK_LENGTH = 4096;

    /** Methods of a directory that need more of a file than to read it. */
    private static final Set<String> CHANGES =
            Set.of("openDirect", "rename", "delete", "move", "create", "createDirect");

    private final Path pristine;
    private final Path present;
    private final @Nullable Path foreign;
    private final List<Path> files;

    /** What is done to a file. */
    enum Spoil {
        CUT,
        REMOVED,
        EMPTIED,
        DOUBLED,
        A_DIRECTORY,
        UNREADABLE,
        READ_ONLY,
        /** With each file of the directory that is of its kind. */
        SWAPPED,
        /** By the same file of another directory. */
        FOREIGN
    }

    /** A file that cannot be opened, or not be changed; also for those who may do everything. */
    record Denial(Path file, boolean isUnreadable) {}

    /** Opens what was spoilt. */
    @FunctionalInterface
    interface Opening {
        /**
         * Opens it, and closes it.
         *
         * @param directory with one spoilt file.
         * @param denial    of that file, or null.
         * @return what is missing, or null when all is there.
         * @throws Refused when it does not open.
         */
        @Nullable
        String open(Path directory, @Nullable Denial denial) throws IOException, Refused;
    }

    /** It did not open. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(final Throwable cause) {
            super(String.valueOf(cause.getMessage()), cause);
        }
    }

    /**
     * @param folder   for the directory that is spoilt.
     * @param pristine directory as a kill has left it.
     * @param foreign  another one with files of the same names, or null.
     * @param isMeant  which files, named from the directory on.
     */
    FileSweep(final Path folder, final Path pristine, final @Nullable Path foreign, final Predicate<Path> isMeant)
            throws IOException {
        this.pristine = pristine;
        this.foreign = foreign;
        present = folder.resolve("present");
        try (Stream<Path> all = Files.walk(pristine)) {
            files = all.filter(Files::isRegularFile)
                    .map(pristine::relativize)
                    .filter(isMeant)
                    .sorted()
                    .toList();
        }
    }

    /** How many files there are. */
    int count() {
        return files.size();
    }

    /** Does one thing to each file. Returns what went wrong. */
    List<String> run(final Spoil spoil, final Opening opening) throws IOException {
        final Tally tally = new Tally(opening);
        final Random random = new Random(SEED);
        for (final Path file : files) {
            switch (spoil) {
                case CUT -> {
                    for (final int length : cuts(random, Files.size(pristine.resolve(file)))) {
                        final Path spoilt = fresh(file);
                        Files.write(spoilt, Arrays.copyOf(Files.readAllBytes(spoilt), length));
                        tally.open("CUT to " + length + " " + file, null);
                    }
                }
                case SWAPPED -> {
                    for (final Path other : neighbours(file)) {
                        swap(fresh(file), present.resolve(other));
                        tally.open("SWAPPED " + file + " and " + other, null);
                    }
                }
                case FOREIGN -> {
                    final Path other = foreign == null ? null : foreign.resolve(file);
                    if (other != null && Files.isRegularFile(other)) {
                        Files.write(fresh(file), Files.readAllBytes(other));
                        tally.open("FOREIGN " + file, null);
                    }
                }
                case UNREADABLE, READ_ONLY ->
                    tally.open(spoil + " " + file, new Denial(fresh(file), spoil == Spoil.UNREADABLE));
                default -> {
                    change(spoil, fresh(file));
                    tally.open(spoil + " " + file, null);
                }
            }
        }
        if (CUT_COUNT >= 100) {
            System.out.println("sweep of " + pristine.getFileName() + ", " + spoil + ": " + tally);
        }
        return tally.wrong;
    }

    private static void change(final Spoil spoil, final Path file) throws IOException {
        final byte[] bytes = Files.readAllBytes(file);
        switch (spoil) {
            case EMPTIED -> Files.write(file, new byte[0]);
            case DOUBLED -> {
                final byte[] twice = Arrays.copyOf(bytes, 2 * bytes.length);
                System.arraycopy(bytes, 0, twice, bytes.length, bytes.length);
                Files.write(file, twice);
            }
            case A_DIRECTORY -> {
                Files.delete(file);
                Files.createDirectory(file);
            }
            default -> Files.delete(file);
        }
    }

    private static List<Integer> cuts(final Random random, final long length) {
        final int blocks = CUT_COUNT >= 100 ? BLOCK_LENGTH : shortStep(length);
        final List<Integer> cuts = new ArrayList<>();
        for (int cut = blocks; cut < length; cut += blocks) {
            cuts.add(cut);
        }
        for (int i = 0; i < CUT_COUNT && length > 1; i++) {
            cuts.add((int) Math.min(length - 1, random.nextInt((int) length) | 1));
        }
        return cuts;
    }

    /** Of the short form: every fourth block, and of long files not more than some. */
    private static int shortStep(final long length) {
        return Math.max(4, (int) (length / BLOCK_LENGTH / BLOCK_CUT_COUNT_MAX)) * BLOCK_LENGTH;
    }

    /** The last file of the same kind, and the same file of other folders. */
    private List<Path> neighbours(final Path file) {
        final String kind = kind(file);
        final List<Path> found = new ArrayList<>();
        Path last = null;
        for (final Path each : files) {
            if (!each.equals(file) && each.getFileName().equals(file.getFileName())) {
                found.add(each);
            } else if (!each.equals(file) && kind(each).equals(kind)) {
                last = each;
            }
        }
        if (last != null) {
            found.add(last);
        }
        return found;
    }

    private static String kind(final Path file) {
        final String name = String.valueOf(file.getFileName());
        return Character.isDigit(name.charAt(name.length() - 1))
                ? name.substring(0, name.lastIndexOf('.'))
                : name.contains(".") ? name.substring(name.lastIndexOf('.') + 1) : "";
    }

    private static void swap(final Path file, final Path other) throws IOException {
        final byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Files.readAllBytes(other));
        Files.write(other, bytes);
    }

    /** Makes the directory as it was left. Returns a file of it. */
    private Path fresh(final Path file) throws IOException {
        if (Files.exists(present)) {
            try (Stream<Path> all = Files.walk(present)) {
                for (final Path each :
                        all.sorted((left, right) -> right.compareTo(left)).toList()) {
                    Files.delete(each);
                }
            }
        }
        copy(pristine, present);
        return present.resolve(file);
    }

    /** Copies a directory as a kill would leave it: what is in its files is all there is. */
    static void copy(final Path from, final Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (final Path file : all.toList()) {
                final Path target = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    /** A directory in which a file is denied. */
    static Storage denied(final Storage storage, final @Nullable Denial denial) {
        if (denial == null) {
            return storage;
        }
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, args) -> {
                    final String name = method.getName();
                    final boolean isFile = args != null
                            && args.length > 0
                            && storage.path(String.valueOf(args[0]))
                                    .equals(denial.file().toString());
                    final boolean isChange =
                            CHANGES.contains(name) || (name.equals("open") && Boolean.TRUE.equals(args[1]));
                    if (isFile && (isChange || (denial.isUnreadable() && name.equals("open")))) {
                        throw FileErrors.explained(
                                denial.file(),
                                new AccessDeniedException(denial.file().toString()));
                    }
                    try {
                        final Object result = method.invoke(storage, args);
                        return name.equals("directory") && result != null ? denied((Storage) result, denial) : result;
                    } catch (final InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** How it went. */
    private final class Tally {
        private final Opening opening;
        private final List<String> wrong = new ArrayList<>();
        private final Map<String, Integer> counts = new TreeMap<>();

        private Tally(final Opening opening) {
            this.opening = opening;
        }

        private void open(final String what, final @Nullable Denial denial) {
            String outcome = "whole";
            try {
                final String missing = opening.open(present, denial);
                if (missing != null) {
                    outcome = "less";
                    wrong.add(what + ": opened with less: " + missing);
                }
            } catch (final Refused e) {
                outcome = "refused";
                final String text = String.valueOf(e.getMessage());
                // The file, and in brackets what to do about it.
                if (!text.contains(present.toString()) || !text.endsWith(")")) {
                    outcome = "refused without help";
                    wrong.add(what + ": refused with: " + text);
                }
            } catch (final IOException | RuntimeException | AssertionError e) {
                outcome = "failed";
                wrong.add(what + ": " + e);
            }
            counts.merge(outcome, 1, Integer::sum);
        }

        @Override
        public String toString() {
            return counts.values().stream().mapToInt(Integer::intValue).sum() + " cases " + counts;
        }
    }
}
