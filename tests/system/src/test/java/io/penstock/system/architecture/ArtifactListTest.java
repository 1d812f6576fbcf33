package io.penstock.system.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the build publishes is in the bill of materials, and on the page for users. */
@Tag("one-jdk")
class ArtifactListTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path BOM = ROOT.resolve("bom").resolve("pom.xml");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern ARTIFACT = Pattern.compile("(?s)</parent>.*?<artifactId>(penstock[^<]*)</artifactId>");
    private static final Pattern MANAGED = Pattern.compile(
            "<dependency>\\s*<groupId>io\\.penstock</groupId>\\s*<artifactId>(penstock-[^<]+)</artifactId>");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(penstock-[a-z-]+)` \\|");

    @Test
    void shouldBeInTheBillOfMaterialsWhenAModuleIsPublished() throws IOException {
        assertThat(find(MANAGED, BOM)).isEqualTo(published());
    }

    @Test
    void shouldHaveARowWhenAnArtifactIsPublished() throws IOException {
        final Set<String> published = published();
        published.add("penstock-bom");

        assertThat(find(ROW, ROOT.resolve("docs").resolve("reference").resolve("artifacts.md")))
                .isEqualTo(published);
    }

    private static Set<String> published() throws IOException {
        final Set<String> artifacts = new TreeSet<>();
        addPublished(ROOT, artifacts);
        return artifacts;
    }

    private static void addPublished(final Path folder, final Set<String> artifacts) throws IOException {
        final Path pom = folder.resolve("pom.xml");
        final String text = Files.readString(pom);
        if (text.contains("<maven.deploy.skip>true</maven.deploy.skip>") || pom.equals(BOM)) {
            return;
        }
        final List<String> modules =
                MODULE.matcher(text).results().map(module -> module.group(1)).toList();
        for (final String module : modules) {
            addPublished(folder.resolve(module), artifacts);
        }
        if (modules.isEmpty()) {
            artifacts.addAll(find(ARTIFACT, pom));
        }
    }

    private static Set<String> find(final Pattern pattern, final Path file) throws IOException {
        final Set<String> found = new TreeSet<>();
        pattern.matcher(Files.readString(file)).results().forEach(result -> found.add(result.group(1)));
        return found;
    }
}
