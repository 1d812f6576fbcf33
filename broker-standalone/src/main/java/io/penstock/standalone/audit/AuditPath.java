package io.penstock.standalone.audit;

import io.penstock.broker.security.audit.AuditVerifier;
import io.penstock.broker.security.audit.AuditVerifier.Verdict;
import io.penstock.broker.storage.DiskStorage;
import io.penstock.file.FileErrors;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import picocli.CommandLine.Parameters;

/** The files that a command is about. */
final class AuditPath {
    @Parameters(
            index = "0",
            paramLabel = "PATH",
            description = "The audit.directory of a broker, a copy of it, or one file of it.")
    private Path path;

    /** Reads the entries one after another, until the first that is not right. */
    Verdict read(final Consumer<String> entries) {
        try {
            if (Files.isDirectory(path)) {
                final Verdict verdict = AuditVerifier.verify(DiskStorage.openPresent(path.toString()), entries);
                if (verdict.fileCount() == 0) {
                    throw CommandFailure.badInput(
                            path + ": no files of an audit in it (give the audit.directory of a broker)");
                }
                return verdict;
            }
            final Path file = path.toAbsolutePath();
            if (!Files.isRegularFile(file)) {
                throw CommandFailure.badInput(
                        path + ": no such file or directory (give the audit.directory of a broker)");
            }
            return AuditVerifier.verify(
                    DiskStorage.openPresent(String.valueOf(file.getParent())),
                    String.valueOf(file.getFileName()),
                    entries);
        } catch (final IOException e) {
            throw CommandFailure.failed(path + ": cannot be read: " + FileErrors.reasonOf(e)
                    + " (run this as the user that the broker runs as)");
        }
    }
}
