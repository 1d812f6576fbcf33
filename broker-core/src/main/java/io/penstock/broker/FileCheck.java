package io.penstock.broker;

import io.penstock.broker.ConfigCheck.Finding;
import io.penstock.broker.journal.JournalAdmission;
import io.penstock.broker.storage.DiskStorage;
import io.penstock.file.FileErrors;
import io.penstock.file.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Finds out whether a broker could use the directories that its configuration names. Makes and changes nothing. */
final class FileCheck {
    private static final Set<String> SYSTEM_STORES = Set.of("proc", "sysfs");

    private final List<Finding> findings = new ArrayList<>();

    private FileCheck() {}

    static List<Finding> of(final BrokerConfig config) {
        final FileCheck check = new FileCheck();
        if (config.journal().isUsed()) {
            check.directory("journal.directory", config.journal().directory());
            if (check.findings.stream().noneMatch(Finding::isMistake)) {
                check.foreign("journal.directory", config.journal().directory());
                check.room(config);
            }
            if (!config.journal().archive().isEmpty()) {
                check.directory("journal.archive", config.journal().archive());
            }
        }
        if (config.sinks().isUsed()) {
            check.directory("sinks.directory", config.sinks().directory());
        }
        if (config.audit().isUsed()) {
            check.directory("audit.directory", config.audit().directory());
        }
        return check.findings;
    }

    private void directory(final String key, final String name) {
        final Path path;
        try {
            path = Path.of(name).toAbsolutePath();
        } catch (final InvalidPathException e) {
            add(key, "no path of a directory: " + name + " (" + e.getReason() + ")", true);
            return;
        }
        final Path present = present(path);
        if (!Files.isDirectory(present)) {
            add(key, "not a directory: " + present + " (use another, or move that file away)", true);
        } else if (!Files.isWritable(present) || !Files.isExecutable(present) || isOfTheSystem(present)) {
            add(key, "cannot be written: " + present + " (give this user the right, or use another directory)", true);
        } else if (!present.equals(path)) {
            add(key, "not there yet: " + path + " (the broker makes it at its start)", false);
        } else {
            rights(key, path);
        }
    }

    /** The system's own file systems say that they can be written, and have no room for files of others. */
    private static boolean isOfTheSystem(final Path present) {
        try {
            return SYSTEM_STORES.contains(Files.getFileStore(present).type());
        } catch (final IOException e) {
            return false;
        }
    }

    private void foreign(final String key, final String name) {
        try {
            final String foreign =
                    Files.isDirectory(Path.of(name)) ? JournalAdmission.foreign(DiskStorage.openPresent(name)) : null;
            if (foreign != null) {
                add(key, foreign, true);
            }
        } catch (final IOException e) {
            add(key, "cannot be read: " + FileErrors.textOf(e) + " (give this user the right)", true);
        }
    }

    private void rights(final String key, final Path path) {
        try {
            final String rights = OwnerOnly.wideRights(path);
            if (rights != null) {
                add(key, "others have rights to it: " + path + ": " + rights + " (chmod 700 it)", false);
            }
        } catch (final IOException e) {
            add(key, "rights cannot be seen: " + path + ": " + e.getMessage() + " (check them)", false);
        }
    }

    /** A file more than there is, as the next one is made ahead. */
    private void room(final BrokerConfig config) {
        final long needed = 2L * config.shardCount() * config.journal().fileLength();
        final Path present = present(Path.of(config.journal().directory()).toAbsolutePath());
        try {
            final long usable = Files.getFileStore(present).getUsableSpace();
            if (usable < needed) {
                add(
                        "journal.directory",
                        "the disk has room for " + usable + " bytes: two files of each shard take " + needed
                                + " (make room, or lower journal.fileLength)",
                        false);
            }
        } catch (final IOException e) {
            add("journal.directory", "the disk's room cannot be seen: " + e.getMessage() + " (check the disk)", false);
        }
    }

    /** The path, or the nearest directory above it that is there. */
    private static Path present(final Path path) {
        Path present = path;
        while (Files.notExists(present) && present.getParent() != null) {
            present = present.getParent();
        }
        return present;
    }

    private void add(final String key, final String text, final boolean isMistake) {
        findings.add(new Finding(key, key + ": " + text, isMistake));
    }
}
