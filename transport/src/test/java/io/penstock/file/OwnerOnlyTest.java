package io.penstock.file;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisabledOnOs(OS.WINDOWS)
class OwnerOnlyTest {
    @TempDir
    private Path folder;

    @Test
    void shouldBeItsOwnersAloneWhenMadeHere() throws IOException {
        final Path directory = folder.resolve("a").resolve("b");
        OwnerOnly.createDirectories(directory);
        OwnerOnly.open(directory.resolve("file"), CREATE, WRITE).close();

        assertThat(rights(folder.resolve("a"))).isEqualTo("rwx------");
        assertThat(rights(directory)).isEqualTo("rwx------");
        assertThat(rights(directory.resolve("file"))).isEqualTo("rw-------");
        assertThat(OwnerOnly.wideRights(directory)).isNull();
    }

    @Test
    void shouldStayAsItIsAndBeNamedWhenItWasThereWithWiderRights() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
        OwnerOnly.createDirectories(folder);

        assertThat(OwnerOnly.wideRights(folder)).isEqualTo("rwxr-x---");
    }

    @Test
    void shouldTakeRightsOfOthersAwayWhenClosed() throws IOException {
        final Path file = Files.createFile(folder.resolve("file"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        OwnerOnly.takeFromOthers(file);

        assertThat(rights(file)).isEqualTo("rw-------");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "File too large | /log: File too large (raise the limit of this program's file sizes, ulimit -f, or"
                        + " the file system's)",
                "Too many open files | /log: Too many open files (raise the limit of open files: ulimit -n, or"
                        + " LimitNOFILE)",
                "No space left on device | /log: No space left on device (make room on the disk)",
                "Read-only file system | /log: Read-only file system (mount it so that it can be written)"
            })
    void shouldNameFileReasonAndRemedyWhenTheSystemRefuses(final String reason, final String message) {
        final Path file = Path.of("/log");

        assertThat(FileErrors.explained(file, new FileSystemException("/log", null, reason)))
                .hasMessage(message);
        assertThat(FileErrors.explained(file, new IOException(reason))).hasMessage(message);
    }

    @Test
    void shouldSayThatItIsDeniedWhenTheJdkNamesTheFileAlone() {
        assertThat(FileErrors.explained(Path.of("/log"), new AccessDeniedException("/log")))
                .hasMessage("/log: permission denied (give it to the user that runs this program: chown, chmod u+rwX)");
    }

    @Test
    void shouldBeTheSameErrorWhenThereIsNoMoreToSay() {
        final IOException known = FileErrors.explained(Path.of("/log"), new AccessDeniedException("/log"));
        final NoSuchFileException missing = new NoSuchFileException("/log");

        assertThat(FileErrors.explained(Path.of("/log"), known)).isSameAs(known);
        assertThat(FileErrors.explained(Path.of("/log"), missing)).isSameAs(missing);
    }

    private static String rights(final Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
