package io.penstock.broker.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page and the code say the same. */
class EventDocumentTest {
    private static final Path PAGE = Path.of("..", "docs", "operating", "events.md");
    private static final Pattern ROW =
            Pattern.compile("^\\| `([a-z]+\\.[A-Za-z]+)` \\| ([A-Z]+) \\| ([^|]+) \\|([^|]*)\\|$");

    @Test
    void shouldListEachEventWithItsLevelAndMeaningWhenReadAsReference() throws IOException {
        final List<String> documented = new ArrayList<>();
        for (final String line : Files.readAllLines(PAGE)) {
            final Matcher row = ROW.matcher(line);
            if (row.matches()) {
                documented.add(row.group(1) + " " + row.group(2));
            }
        }

        assertThat(documented)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(EventKind.values())
                        .map(kind -> kind + " " + kind.level())
                        .toList());
    }

    @Test
    void shouldSayWhatToDoWhenAWarningOrAnError() throws IOException {
        for (final String line : Files.readAllLines(PAGE)) {
            final Matcher row = ROW.matcher(line);
            if (row.matches() && !row.group(2).equals("INFO") && !row.group(2).equals("DEBUG")) {
                assertThat(row.group(4)).as(row.group(1)).isNotBlank();
            }
        }
    }
}
