package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DriverDirectoryTest {
    @TempDir
    private Path folder;

    private Path above = Path.of("");
    private Path driver = Path.of("");

    @BeforeEach
    void name() {
        above = folder.resolve("above");
        driver = above.resolve("driver");
    }

    @Test
    void shouldBeItsUsersAloneWhenMade() throws IOException {
        DriverDirectory.prepare(driver);
        DriverDirectory.prepare(driver);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(above)))
                .isEqualTo("rwx------");
        assertThat(above).isEmptyDirectory();
    }

    @Test
    void shouldBeRefusedWhenOthersMayUseIt() throws IOException {
        Files.createDirectories(above);
        Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwxr-x---"));

        assertThatThrownBy(() -> DriverDirectory.prepare(driver))
                .hasMessageStartingWith("cluster.driverDirectory: others may use it: " + above + ": rwxr-x---");
    }

    @Test
    void shouldBeRefusedWhenALink() throws IOException {
        DriverDirectory.prepare(folder.resolve("other").resolve("driver"));
        Files.createSymbolicLink(above, folder.resolve("other"));

        assertThatThrownBy(() -> DriverDirectory.prepare(driver))
                .hasMessageEndingWith(above + ": a link (name a new one, or take the rights of others from it)");
    }

    /** It would be deleted. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldBeRefusedWhenItHasSomethingElse(final boolean hasDriver) throws IOException {
        DriverDirectory.prepare(driver);
        Files.createDirectories(driver.resolve("images"));
        if (hasDriver) {
            Files.writeString(driver.resolve("cnc.dat"), "");
        }
        DriverDirectory.prepare(driver);
        DriverDirectory.checkNotActive(driver);
        Files.writeString(driver.resolve("x"), "mine");

        assertThatThrownBy(() -> DriverDirectory.prepare(driver))
                .hasMessageStartingWith("cluster.driverDirectory: has files of something else: " + driver);
        assertThat(driver.resolve("x")).exists();
    }

    @Test
    void shouldBeRefusedWhenADriverIsActive() throws IOException {
        DriverDirectory.prepare(driver);
        try (MediaDriver active = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(driver.toString())
                .threadingMode(ThreadingMode.SHARED)
                .termBufferSparseFile(true))) {
            // All that a driver has.
            DriverDirectory.prepare(driver);
            assertThatThrownBy(() -> DriverDirectory.checkNotActive(driver))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("cluster.driverDirectory: a driver is active in it: " + driver);
            assertThat(active.aeronDirectoryName()).isEqualTo(driver.toString());
        }
    }

    @Test
    void shouldDeleteWhatIsAboveOnlyWhenNothingIsInIt() throws IOException {
        DriverDirectory.prepare(driver);
        Files.writeString(above.resolve("x"), "mine");
        DriverDirectory.deleteAbove(driver);
        assertThat(above.resolve("x")).exists();

        Files.delete(above.resolve("x"));
        DriverDirectory.deleteAbove(driver);
        DriverDirectory.deleteAbove(driver);
        assertThat(above).doesNotExist();
    }
}
