package io.penstock.system.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The blocks of a page that somebody follows, in their order.
 *
 * @param blocks a block that is fenced as {@code console NAME} is what is typed and seen in that terminal, one with another
 *               language and a name is a file with that name; the others are only read.
 */
record Tutorial(List<Block> blocks) {
    private static final Pattern FENCE = Pattern.compile("```(\\S+)(?: (\\S+))?");
    private static final String PROMPT = "$ ";

    /**
     * Reads a page.
     *
     * @param line of its first line in the page, from 1.
     */
    record Block(int line, String language, String name, List<String> lines) {
        boolean isTerminal() {
            return language.equals("console");
        }

        boolean isFile() {
            return !isTerminal() && !name.isEmpty();
        }

        /** What came before the first command: more of what the command before it printed. */
        List<String> firstOutput() {
            return output(-1);
        }

        List<Step> steps() {
            final List<Step> steps = new ArrayList<>();
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).startsWith(PROMPT)) {
                    steps.add(new Step(line + i, lines.get(i).substring(PROMPT.length()), output(i)));
                }
            }
            return steps;
        }

        private List<String> output(final int command) {
            int end = command + 1;
            while (end < lines.size() && !lines.get(end).startsWith(PROMPT)) {
                end++;
            }
            return lines.subList(command + 1, end);
        }
    }

    /**
     * A command and what is to be seen of it, in part perhaps.
     *
     * @param line of the page.
     */
    record Step(int line, String command, List<String> output) {}

    static Tutorial of(final Path page) throws IOException {
        return of(Files.readAllLines(page));
    }

    static Tutorial of(final List<String> lines) {
        final List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            final Matcher fence = FENCE.matcher(lines.get(i));
            if (fence.matches()) {
                final int start = i + 1;
                i = start + lines.subList(start, lines.size()).indexOf("```");
                final String name = fence.group(2) == null ? "" : fence.group(2);
                blocks.add(new Block(start + 1, fence.group(1), name, List.copyOf(lines.subList(start, i))));
            }
        }
        return new Tutorial(blocks);
    }
}
