package io.penstock.system.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The pages can be found, and lead somewhere. */
@Tag("one-jdk")
class DocumentationTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path DOCS = ROOT.resolve("docs");
    /** Other names of the program than {@code penstock}, but with commands that the sources alone have or that build more there. */
    private static final Pattern OTHER_NAME = Pattern.compile(
            "java -jar \\S*run/penstock\\.jar|\\./penstock (?!verify|release|javadoc|bench|COMMAND)\\S+");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");

    @Test
    void shouldLeadToAFileWhenALinkIsRelative() throws IOException {
        final List<String> broken = new ArrayList<>();
        for (final Path page : pages()) {
            for (final Path target : links(page)) {
                if (!Files.exists(target)) {
                    broken.add(ROOT.relativize(page) + " -> " + ROOT.relativize(target));
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void shouldCallTheProgramByItsNameWhenAPage() throws IOException {
        final List<String> others = new ArrayList<>();
        for (final Path page : pages()) {
            if (page.startsWith(DOCS) && !page.startsWith(DOCS.resolve("adr")) && !page.endsWith("installing.md")) {
                OTHER_NAME
                        .matcher(Files.readString(page))
                        .results()
                        .forEach(name -> others.add(ROOT.relativize(page) + ": " + name.group()));
            }
        }

        assertThat(others).isEmpty();
    }

    @Test
    void shouldBeListedInTheIndexWhenAPage() throws IOException {
        final List<Path> listed = links(DOCS.resolve("README.md"));

        try (Stream<Path> files = Files.walk(DOCS)) {
            assertThat(files.filter(file -> file.toString().endsWith(".md"))
                            .filter(file -> !file.endsWith("README.md"))
                            .filter(file -> !file.startsWith(DOCS.resolve("adr"))))
                    .allMatch(listed::contains);
        }
    }

    private static List<Path> pages() throws IOException {
        final List<Path> pages = new ArrayList<>(
                List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md"), ROOT.resolve("CHANGELOG.md")));
        try (Stream<Path> files = Files.walk(DOCS)) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    private static List<Path> links(final Path page) throws IOException {
        return LINK.matcher(Files.readString(page))
                .results()
                .map(link -> page.resolveSibling(link.group(1)).normalize())
                .toList();
    }
}
