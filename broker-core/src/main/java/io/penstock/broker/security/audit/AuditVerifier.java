package io.penstock.broker.security.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of an audit from the first to the last entry, and finds the first that is not as it was written, or does not
 * follow the one before it. Files may be written meanwhile. Used by one thread, once.
 */
public final class AuditVerifier {
    private final Storage storage;
    private final Consumer<String> entries;
    private final List<String> remarks = new ArrayList<>();
    private long entryCount;
    private long tornLength;
    private long lineNumber;
    private String firstName = "";
    private String tornFile = "";
    /** Whether what is torn has the end of a line in it, which what is just being written has not. */
    private boolean isTornEnded;

    private @Nullable AuditLine last;

    private AuditVerifier(final Storage storage, final Consumer<String> entries) {
        this.storage = storage;
        this.entries = entries;
    }

    /**
     * Reads all files of a directory.
     *
     * @param storage the directory.
     * @param entries gets each entry that is right, as it stands in its file, until the first that is not.
     * @return what was found.
     * @throws IOException when a file cannot be read.
     */
    public static Verdict verify(final Storage storage, final Consumer<String> entries) throws IOException {
        return new AuditVerifier(storage, entries).verify(AuditFiles.names(storage));
    }

    /**
     * Reads one file.
     *
     * @param storage its directory.
     * @param name    of the file.
     * @param entries gets each entry that is right, as it stands in its file, until the first that is not.
     * @return what was found.
     * @throws IOException when it cannot be read.
     */
    public static Verdict verify(final Storage storage, final String name, final Consumer<String> entries)
            throws IOException {
        return new AuditVerifier(storage, entries).verify(List.of(name));
    }

    private Verdict verify(final List<String> names) throws IOException {
        firstName = names.isEmpty() ? "" : names.get(0);
        String problem = null;
        for (int i = 0; i < names.size() && problem == null; i++) {
            problem = read(names.get(i));
        }
        if (problem == null && tornLength > 0 && isTornEnded) {
            problem = tornFile + ": " + next() + " is not as it was written, or no entry at all";
        } else if (problem == null && tornLength > 0) {
            remarks.add(tornFile + ": " + tornLength
                    + " bytes at its end are no entry, as of a crash or of an entry that is" + " being written");
        } else if (problem == null && last == null && !names.isEmpty()) {
            problem =
                    names.get(0) + ": the first entry is not here: it has none, as only a broker's that has not come to"
                            + " its first entry yet";
        } else if (problem == null && lineNumber == 0 && !names.isEmpty()) {
            remarks.add(names.get(names.size() - 1) + ": has no entry, as of a crash before its first one");
        }
        return new Verdict(
                names.size(),
                entryCount,
                last == null ? 0 : last.sequence(),
                last == null ? "" : last.hash(),
                List.copyOf(remarks),
                problem);
    }

    private @Nullable String read(final String name) throws IOException {
        lineNumber = 0;
        try (AuditLines lines = new AuditLines(storage.open(name, false))) {
            byte[] bytes;
            while ((bytes = lines.next()) != null) {
                lineNumber++;
                final AuditLine line = lines.isEnded() ? AuditLine.parse(bytes) : null;
                if (line == null) {
                    // Behind the last entry of a file this may be: the next entry has to say so.
                    return skip(name, lines);
                }
                final String problem = check(name, line);
                if (problem != null) {
                    return problem;
                }
                last = line;
                entryCount++;
                entries.accept(new String(bytes, UTF_8));
            }
            return null;
        }
    }

    private @Nullable String skip(final String name, final AuditLines lines) throws IOException {
        final long from = lines.offset();
        final long broken = lineNumber;
        boolean isTorn = true;
        isTornEnded |= lines.isEnded();
        byte[] bytes;
        while ((bytes = lines.next()) != null) {
            isTornEnded |= lines.isEnded();
            isTorn &= !lines.isEnded() || AuditLine.parse(bytes) == null;
        }
        if (!isTorn) {
            return broken(name, broken);
        }
        tornLength += lines.position() - from;
        tornFile = name + ", line " + broken;
        return null;
    }

    private String broken(final String name, final long line) {
        return name + ", line " + line + ": " + next() + " is not as it was written, or no entry at all";
    }

    private String next() {
        return last == null ? "the first entry" : "entry " + (last.sequence() + 1);
    }

    private @Nullable String check(final String name, final AuditLine line) {
        final AuditLine before = last;
        if (tornLength > 0) {
            if (!line.isTorn() || line.count() != tornLength) {
                return tornFile + ": " + next() + " is not as it was written: " + tornLength
                        + " bytes are no entry, and no later one tells of a crash";
            }
            remarks.add(tornFile + ": " + tornLength + " bytes at its end are no entry, as of a crash; entry "
                    + line.sequence() + " tells of it");
            tornLength = 0;
            isTornEnded = false;
        }
        final String place = name + ", line " + lineNumber + ": entry " + line.sequence();
        if (before == null) {
            if (line.sequence() == 1 && !line.previous().equals(AuditLine.NO_HASH)) {
                return place + " follows another one, and is the first";
            }
            return checkFirst(name, line, place);
        }
        if (line.sequence() != before.sequence() + 1) {
            return place + " comes after entry " + before.sequence() + ": entries are missing, or in another order";
        }
        return line.previous().equals(before.hash())
                ? null
                : place + " does not follow entry " + before.sequence() + " as it is here: one of them was replaced";
    }

    /** Only files that were deleted for their age are missing before the first one that is here. */
    private @Nullable String checkFirst(final String name, final AuditLine line, final String place) {
        final long number = AuditFiles.number(firstName);
        if (line.sequence() == 1) {
            // After a crash before its end the first entry tells of that, in another file.
            return number <= 1 || line.isTorn() ? null : place + " is the first one, but stands in another file";
        }
        if (number == 1) {
            return place + " is not the first, with which the first file begins: entries before it are missing";
        }
        remarks.add(name + ": begins with entry " + line.sequence() + ": those before it are not here");
        return null;
    }

    /**
     * What was found.
     *
     * @param fileCount  files.
     * @param entryCount entries that are right, up to the first that is not.
     * @param sequence   of the last of them; 0 for none.
     * @param hash       of the last of them; empty for none.
     * @param remarks    on what is no mistake.
     * @param problem    the first entry that is not right; null for none.
     */
    public record Verdict(
            int fileCount,
            long entryCount,
            long sequence,
            String hash,
            List<String> remarks,
            @Nullable String problem) {}
}
