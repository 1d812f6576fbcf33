package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.IoUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterDirectoryTest {
    @TempDir
    private Path folder;

    private Path path = Path.of("");

    @BeforeEach
    void name() {
        path = folder.resolve("node");
    }

    @Test
    void shouldRiseWhenOpenedAgain() throws IOException {
        long before = 0;
        for (int start = 1; start <= 3; start++) {
            try (ClusterDirectory directory = ClusterDirectory.open(path, 1)) {
                assertThat(directory.incarnation()).isGreaterThan(before);
                before = directory.incarnation();
            }
        }
    }

    @Test
    void shouldRiseWhenTheClockGoesBack() throws IOException {
        assertThat(incarnationAt(50)).isEqualTo(50);
        assertThat(incarnationAt(50)).isEqualTo(51);
        assertThat(incarnationAt(10)).isEqualTo(52);
    }

    /** Commands of its former life are still in the order. */
    @Test
    void shouldRiseWhenEmptiedMeanwhile() throws IOException {
        assertThat(incarnationAt(50)).isEqualTo(50);
        assertThat(incarnationAt(50)).isEqualTo(51);
        IoUtil.delete(path.toFile(), false);

        assertThat(incarnationAt(60)).isEqualTo(60);
    }

    private long incarnationAt(final long timeMs) throws IOException {
        try (ClusterDirectory directory = ClusterDirectory.open(path, 1, () -> timeMs)) {
            return directory.incarnation();
        }
    }

    @Test
    void shouldEmptyOnlyItsOwnFilesWhenOpenedAgain() throws IOException {
        ClusterDirectory.open(path, 0).close();
        for (final String file : new String[] {"journal/shard-0/x", "archive/y", "consensus/z", "w"}) {
            Files.createDirectories(path.resolve(file).getParent());
            Files.writeString(path.resolve(file), "!");
        }

        ClusterDirectory.open(path, 0).close();

        assertThat(path.resolve("journal")).doesNotExist();
        assertThat(path.resolve("archive/y")).exists();
        assertThat(path.resolve("consensus/z")).exists();
        assertThat(path.resolve("w")).exists();
    }

    @Test
    void shouldBeRefusedAndLeftAloneWhenOfSomethingElse() throws IOException {
        Files.createDirectories(path.resolve("journal"));
        Files.writeString(path.resolve("journal/x"), "mine");

        assertThatThrownBy(() -> ClusterDirectory.open(path, 0))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("cluster.directory: not empty, and not of a node of a cluster: " + path);
        assertThat(path.resolve("journal/x")).exists();
        assertThat(path.toFile().list()).containsExactly("journal");
    }

    @Test
    void shouldBeTakenWhenAStartWasKilledBeforeItsMark() throws IOException {
        Files.createDirectories(path);
        Files.writeString(path.resolve("penstock-cluster.next"), "member=");
        Files.writeString(path.resolve("penstock-cluster.lock"), "");

        ClusterDirectory.open(path, 0).close();

        assertThat(path.resolve("penstock-cluster")).exists();
    }

    @Test
    void shouldBeRefusedWhenOfAnotherMember() throws IOException {
        ClusterDirectory.open(path, 0).close();

        assertThatThrownBy(() -> ClusterDirectory.open(path, 1))
                .hasMessageStartingWith("cluster.directory: of member 0, and this is member 1: " + path);
        try (ClusterDirectory directory = ClusterDirectory.open(path, 0)) {
            assertThat(directory.incarnation()).isPositive();
        }
    }

    @Test
    void shouldBeRefusedWhenInUse() throws IOException {
        try (ClusterDirectory directory = ClusterDirectory.open(path, 0)) {
            assertThatThrownBy(() -> ClusterDirectory.open(path, 0))
                    .hasMessageStartingWith("cluster.directory: in use by another process: " + path);
            assertThat(directory.incarnation()).isPositive();
        }
        ClusterDirectory.open(path, 0).close();
    }

    @Test
    void shouldBeRefusedWhenItsMarkIsDamaged() throws IOException {
        ClusterDirectory.open(path, 0).close();
        Files.writeString(path.resolve("penstock-cluster"), "member=0\nincarnation=x\n");

        assertThatThrownBy(() -> ClusterDirectory.open(path, 0))
                .hasMessageStartingWith("cluster.directory: the mark is damaged:");
    }
}
