package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterStatusTest {
    @TempDir
    private Path folder;

    @Test
    void shouldNotRunWhenThereIsNoMemoryOfIt() throws IOException {
        assertThat(ClusterStatus.read(2, folder.resolve("none").toFile(), () -> 0))
                .isEqualTo(new ClusterStatus(2, ClusterStatus.State.NOT_RUNNING, -1, -1));

        Files.writeString(folder.resolve("cnc.dat"), "");
        assertThat(ClusterStatus.read(2, folder.toFile(), () -> 0).state()).isEqualTo(ClusterStatus.State.NOT_RUNNING);
    }
}
