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

/** The page on the architecture walks a message through few classes, which are where it says. */
@Tag("one-jdk")
class WalkTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "architecture.md");
    private static final String ROOT = "io.penstock.";
    private static final String HEADING = "\n## The walk\n";
    private static final int CLASS_COUNT_MAX = 25;

    /** A step: its number, the class, the package. */
    private static final Pattern STEP = Pattern.compile("(?m)^\\| (\\d+) \\| `([^`]+)` \\| `([^`]+)` \\| .+ \\|$");

    /** Any row but the two of the table's head. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\|(?! # \\|| --- \\|).*$");

    @Test
    void shouldNumberItsStepsWhenInTheTable() throws IOException {
        final String walk = walk();
        final List<Integer> numbers = STEP.matcher(walk)
                .results()
                .map(step -> Integer.valueOf(step.group(1)))
                .toList();
        final long rowCount = ROW.matcher(walk).results().count();

        assertThat(numbers).isNotEmpty().hasSize((int) rowCount);
        for (int i = 0; i < numbers.size(); i++) {
            assertThat(numbers.get(i)).isEqualTo(i + 1);
        }
    }

    @Test
    void shouldMeetFewClassesWhenWalked() throws IOException {
        assertThat(classes()).isNotEmpty().hasSizeLessThanOrEqualTo(CLASS_COUNT_MAX);
    }

    @Test
    void shouldBeInThePackageBesideItWhenAClassOfTheWalk() throws IOException {
        assertThat(classes()).isNotEmpty().allMatch(Production.CLASSES::contain);
    }

    /** Names with their packages. */
    private static Set<String> classes() throws IOException {
        final Set<String> classes = new TreeSet<>();
        STEP.matcher(walk()).results().forEach(step -> classes.add(ROOT + step.group(3) + "." + step.group(2)));
        return classes;
    }

    /** The section with the table. */
    private static String walk() throws IOException {
        final String page = Files.readString(PAGE);
        final int start = page.indexOf(HEADING);
        assertThat(start).as("heading of the walk").isNotNegative();
        final int end = page.indexOf("\n## ", start + HEADING.length());
        return end < 0 ? page.substring(start) : page.substring(start, end);
    }
}
