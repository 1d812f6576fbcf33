package io.penstock.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A block of a page that is fenced as {@code example}: steps, and after {@code >} what comes of them.
 *
 * @param page  that has it.
 * @param line  of its first step in the page, from 1.
 * @param lines of it.
 */
record Example(String page, int line, List<String> lines) {
    private static final Path CONCEPTS = Path.of("../../docs/concepts");
    private static final String BEGIN = "```example";
    private static final String END = "```";

    static List<Example> of(final String page) throws IOException {
        final List<String> lines = Files.readAllLines(CONCEPTS.resolve(page));
        final List<Example> examples = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).equals(BEGIN)) {
                final int start = i + 1;
                while (!lines.get(i).equals(END)) {
                    i++;
                }
                examples.add(new Example(page, start + 1, List.copyOf(lines.subList(start, i))));
            }
        }
        return examples;
    }

    @Override
    public String toString() {
        return page + ":" + line;
    }
}
