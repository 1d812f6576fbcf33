package io.penstock.bench.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResidentMemoryTest {
    @Test
    void shouldAddUpWhatLiesOutsideTheHeapWhenMappingsAreListed() {
        final List<String> lines = List.of(
                "6e8000000-800000000 rw-p 00000000 00:00 0 ",
                "Size:            4587520 kB",
                "Rss:             1000000 kB",
                "55d4c8a00000-55d4c8b00000 rw-p 00000000 00:00 0   [heap]",
                "Rss:                 100 kB",
                "7f0000000000-7f0000100000 rw-p 00000000 00:00 0 ",
                "Rss:                  23 kB",
                "Pss:                   7 kB",
                "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0   [vsyscall]",
                "Rss:                   0 kB");

        assertThat(ResidentMemory.outsideHeap(lines)).isEqualTo(123 * 1024.0);
    }
}
