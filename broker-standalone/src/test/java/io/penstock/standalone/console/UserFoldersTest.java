package io.penstock.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UserFoldersTest {
    @Test
    void shouldBeWhereTheEnvironmentSaysWhenItDoes() {
        assertThat(folder(Map.of("XDG_CONFIG_HOME", "/c", "HOME", "/h"))).isEqualTo(Path.of("/c"));
        assertThat(folder(Map.of("HOME", "/h"))).isEqualTo(Path.of("/h/.config"));
        assertThat(folder(Map.of("XDG_CONFIG_HOME", "", "HOME", "/h"))).isEqualTo(Path.of("/h/.config"));
        assertThat(folder(Map.of("XDG_CONFIG_HOME", "c", "HOME", "/h")))
                .as("not absolute")
                .isEqualTo(Path.of("/h/.config"));
    }

    @Test
    void shouldBeInTheHomeThatJavaKnowsWhenTheEnvironmentHasNone() {
        final Path home = Path.of(System.getProperty("user.home"), ".config");

        assertThat(folder(Map.of())).isEqualTo(home);
        assertThat(folder(Map.of("HOME", ""))).isEqualTo(home);
    }

    private static Path folder(final Map<String, String> environment) {
        return UserFolders.folder(environment, "XDG_CONFIG_HOME", ".config");
    }
}
