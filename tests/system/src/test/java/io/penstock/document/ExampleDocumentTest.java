package io.penstock.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The examples of the pages on concepts come out as they say. */
class ExampleDocumentTest {
    private static final Pattern GAP = Pattern.compile("\\.\\.\\. less than (\\d+) lines");

    @TestFactory
    Stream<DynamicTest> shouldComeOutAsThePageSays() throws IOException {
        final List<Example> examples = new ArrayList<>(Example.of("state.md"));
        examples.addAll(Example.of("queries.md"));
        examples.addAll(Example.of("subscriptions.md"));
        final List<Example> replays = Example.of("replay.md");
        assertThat(replays).hasSizeGreaterThan(4);
        examples.addAll(replays);
        assertThat(examples).hasSizeGreaterThan(10);
        return examples.stream().map(example -> DynamicTest.dynamicTest(example.toString(), () -> run(example)));
    }

    @Test
    void shouldFailWhenSomethingElseComesOfAnExample() {
        final Example wrong = new Example(
                "none", 1, List.of("topic quotes | key s", "publish quotes {\"s\":1}", "query quotes", "> {\"s\":2}"));
        assertThatThrownBy(() -> run(wrong)).isInstanceOf(AssertionError.class);
    }

    private static void run(final Example example) throws IOException {
        try (ExampleBroker broker = new ExampleBroker(example.lines())) {
            final List<String> steps = example.lines();
            for (int i = 0; i < steps.size(); i++) {
                final List<String> expected = new ArrayList<>();
                broker.step(steps.get(i));
                final String step = example.page() + ":" + (example.line() + i) + " " + steps.get(i);
                while (i + 1 < steps.size() && steps.get(i + 1).startsWith(">")) {
                    expected.add(steps.get(++i).substring(1).strip());
                }
                assertMatches(step, broker.take(), expected);
            }
        }
    }

    private static void assertMatches(final String step, final List<String> lines, final List<String> expected) {
        int at = 0;
        for (int i = 0; i < expected.size(); i++) {
            final Matcher gap = GAP.matcher(expected.get(i));
            if (gap.matches()) {
                final int from = at;
                while (at < lines.size() && !lines.get(at).equals(expected.get(i + 1))) {
                    at++;
                }
                assertThat(at - from).as("%s: %s", step, expected.get(i)).isLessThan(Integer.parseInt(gap.group(1)));
            } else {
                assertThat(at < lines.size() ? lines.get(at) : "nothing")
                        .as("%s: line %d", step, at)
                        .isEqualTo(expected.get(i));
                at++;
            }
        }
        assertThat(lines.subList(at, lines.size())).as("%s: more", step).isEmpty();
    }
}
