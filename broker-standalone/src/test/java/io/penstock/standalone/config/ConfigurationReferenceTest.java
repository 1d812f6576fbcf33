package io.penstock.standalone.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reference and the code say the same. */
class ConfigurationReferenceTest {
    private static final Path REFERENCE = Path.of("..", "docs", "reference", "configuration.md");
    private static final Pattern ROW = Pattern.compile("^\\| `([^`]+)` \\| ([^|]+) \\| [^|]+ \\|$");
    private static final List<String> WITHOUT_FIXED_DEFAULT =
            List.of("threading", "topics.name", "views.name", "views.source", "views.select", "sinks.files.name");

    @TempDir
    private Path folder;

    @Test
    void shouldListEveryKeyOnceWhenReadAsReference() throws IOException {
        final Map<String, String> documented = new TreeMap<>();
        for (final String line : Files.readAllLines(REFERENCE)) {
            final Matcher row = ROW.matcher(line);
            if (row.matches()) {
                assertThat(documented.put(row.group(1), row.group(2)))
                        .as("rows for %s before this one", row.group(1))
                        .isNull();
            }
        }

        assertThat(documented.keySet()).isEqualTo(ConfigSource.keys().keySet());
    }

    @Test
    void shouldStateTheDefaultOfTheCodeWhenReadAsReference() throws IOException {
        for (final String line : Files.readAllLines(REFERENCE)) {
            final Matcher row = ROW.matcher(line);
            if (row.matches() && !WITHOUT_FIXED_DEFAULT.contains(row.group(1))) {
                assertThat(row.group(2))
                        .as("default of %s", row.group(1))
                        .isEqualTo("`" + ConfigSource.keys().get(row.group(1)) + "`");
            }
        }
    }

    @Test
    void shouldBeAcceptedWhenTheExampleIsUsed() throws IOException {
        final String text = Files.readString(REFERENCE);
        final int start = text.indexOf("```yaml\n") + "```yaml\n".length();
        final Path file = folder.resolve("penstock.yaml");
        Files.writeString(file, text.substring(start, text.indexOf("```", start)));

        assertThat(new ConfigSource().file(file).config().topics()).hasSize(2);
    }
}
