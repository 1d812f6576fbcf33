package io.penstock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page of properties has what the metadata has. */
@Tag("one-jdk")
class PropertyReferenceTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "reference", "spring.md");
    private static final Path METADATA = Path.of("target", "classes", "META-INF", "spring-configuration-metadata.json");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(penstock\\.[a-z.-]+)` \\| (?:`([^`]*)`)? ?\\| \\S");

    private static JsonNode properties() throws IOException {
        return new ObjectMapper().readTree(METADATA.toFile()).get("properties");
    }

    @Test
    void shouldHaveEveryPropertyAndItsDefaultWhenComparedWithTheMetadata() throws IOException {
        final Map<String, String> documented = new TreeMap<>();
        final Matcher row = ROW.matcher(Files.readString(PAGE));
        while (row.find()) {
            if (!row.group(1).matches("penstock\\.(client|broker|send).*")) {
                documented.put(row.group(1), row.group(2) == null ? "" : row.group(2));
            }
        }
        final Map<String, String> known = new TreeMap<>();
        properties()
                .forEach(
                        property -> known.put(property.get("name").asText(), defaultOf(property.path("defaultValue"))));
        assertThat(documented).isEqualTo(known);
    }

    private static String defaultOf(final JsonNode value) {
        final List<String> texts = new ArrayList<>();
        if (value.isArray()) {
            value.forEach(each -> texts.add(each.asText()));
        } else if (!value.isMissingNode()) {
            texts.add(value.asText());
        }
        return String.join(",", texts);
    }

    @Test
    void shouldSayWhatItIsWhenAProperty() throws IOException {
        assertThat(properties())
                .allSatisfy(property ->
                        assertThat(property.path("description").asText()).isNotBlank());
    }
}
