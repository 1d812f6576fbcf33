package io.penstock.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SuitesTest {
    private static final Pattern SOURCE = Pattern.compile("guest/[a-z-]+\\.c");

    @Test
    void shouldNameEachSuiteOnce() {
        assertThat(Suites.ALL.stream().map(Suite::name)).doesNotHaveDuplicates();
    }

    @Test
    void shouldFindTheSourcesThatGuestsCompile() {
        final Matcher sources = SOURCE.matcher(Suites.ALL.stream()
                .flatMap(suite -> suite.setUp().stream())
                .toList()
                .toString());
        int count = 0;
        for (; sources.find(); count++) {
            assertThat(getClass().getResource("/" + sources.group()))
                    .as(sources.group())
                    .isNotNull();
        }
        assertThat(count).isPositive();
    }
}
