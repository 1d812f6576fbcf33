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

/** The list of dependencies says what the build says. */
@Tag("one-jdk")
class DependencyListTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<(?:dependency|path)>\\s*<groupId>(?!io\\.penstock)[^<]+</groupId>\\s*<artifactId>([^<]+)</artifactId>");
    /** They have versions of their own. */
    private static final List<String> SPRING_MODULES = List.of(
            "",
            "penstock-spring-boot-autoconfigure",
            "penstock-spring-boot-starter",
            "penstock-spring-boot-starter-test");

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

    @Test
    void shouldNameEveryDependencyWhenComparedWithTheBuild() throws IOException {
        final Set<String> used = find(DEPENDENCY, ROOT.resolve("pom.xml"));
        for (final String module : SPRING_MODULES) {
            used.addAll(find(
                    DEPENDENCY,
                    ROOT.resolve("spring-boot-starter").resolve(module).resolve("pom.xml")));
        }
        used.remove("junit-jupiter");
        used.add("sbe-tool");
        used.add("idlj");
        used.add("asm");
        used.add("palantir-java-format");
        used.add("netty-tcnative-boringssl-static");

        assertThat(find(ROW, ROOT.resolve("docs").resolve("dependencies.md"))).isEqualTo(used);
    }

    private static Set<String> find(final Pattern pattern, final Path file) throws IOException {
        final Set<String> found = new TreeSet<>();
        pattern.matcher(Files.readString(file)).results().forEach(result -> found.add(result.group(1)));
        return found;
    }
}
