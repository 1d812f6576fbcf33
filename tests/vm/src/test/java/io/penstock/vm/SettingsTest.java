package io.penstock.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private static final Path JAR = Path.of("vm-tests.jar");

    @Test
    void shouldGiveTheGuestFourGibibytesUnlessConfigured() {
        assertThat(Settings.of(JAR, "work=w").memoryMib()).isEqualTo(4_096);
        assertThat(Settings.of(JAR, "work=w", "memory=12288").memoryMib()).isEqualTo(12_288);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "much", "12GiB", "1022", "4097", "-4096", "99999999999"})
    void shouldRefuseWhatIsNoSize(final String given) {
        assertThatThrownBy(() -> Settings.of(JAR, "work=w", "memory=" + given))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("memory: not a size in MiB: " + given);
    }
}
