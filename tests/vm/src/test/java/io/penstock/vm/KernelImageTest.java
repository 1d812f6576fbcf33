package io.penstock.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelImageTest {
    @TempDir
    private Path folder;

    @Test
    void shouldOrderModulesSoThatEachComesAfterThoseItNeeds() throws IOException {
        final Path root = Files.createDirectories(folder.resolve("lib/modules/6.1"));
        Files.write(
                root.resolve("modules.dep"),
                List.of(
                        "kernel/fs/9p/9p.ko: kernel/net/9p/9pnet.ko kernel/fs/netfs/netfs.ko",
                        "kernel/net/9p/9pnet.ko:",
                        "kernel/fs/netfs/netfs.ko:",
                        "kernel/net/9p/9pnet-virtio.ko.xz: kernel/net/9p/9pnet.ko kernel/drivers/virtio.ko",
                        "kernel/drivers/virtio.ko:"));

        final KernelImage image = KernelImage.in(folder);

        assertThat(image.kernel()).isEqualTo(folder.resolve("boot/vmlinuz-6.1"));
        assertThat(image.filesOf(List.of("9p", "9pnet_virtio", "part_of_the_kernel")))
                .extracting(file -> String.valueOf(file.getFileName()))
                .containsExactly("9pnet.ko", "netfs.ko", "9p.ko", "virtio.ko", "9pnet-virtio.ko.xz");
    }

    @Test
    void shouldRefuseWhenThereIsNotOneKernel() throws IOException {
        Files.createDirectories(folder.resolve("lib/modules"));

        assertThatThrownBy(() -> KernelImage.in(folder))
                .isInstanceOf(IOException.class)
                .hasMessage(folder + ": not one kernel: [] (unpack one package into it)");
    }
}
