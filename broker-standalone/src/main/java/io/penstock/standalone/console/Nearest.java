package io.penstock.standalone.console;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds what somebody meant who has misspelt it. */
public final class Nearest {
    private static final int FOUND_MAX = 3;
    private static final int WORD_LENGTH_MAX = 100;

    private Nearest() {}

    /**
     * Finds the words that are most alike.
     *
     * @param word       that was given.
     * @param candidates that there are.
     * @return up to three, the nearest first: begun with the word, or with few letters changed, left out, added or exchanged.
     */
    public static List<String> of(final String word, final Collection<String> candidates) {
        if (word.length() > WORD_LENGTH_MAX) {
            return List.of();
        }
        final String meant = word.toLowerCase(Locale.ROOT);
        final int distanceMax = Math.max(1, meant.replaceFirst("^-+", "").length() / 3);
        return candidates.stream()
                .filter(each -> each.length() <= WORD_LENGTH_MAX && distance(meant, each) <= distanceMax)
                .sorted(Comparator.comparingInt(each -> distance(meant, each)))
                .limit(FOUND_MAX)
                .toList();
    }

    /** How many letters differ, where two that changed places are one; words that begin so are as near as can be. */
    private static int distance(final String word, final String candidate) {
        final String other = candidate.toLowerCase(Locale.ROOT);
        if (word.length() > 2 && other.startsWith(word)) {
            return 1;
        }
        final int[][] table = new int[word.length() + 1][other.length() + 1];
        for (int i = 0; i <= word.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                table[i][j] = i == 0 || j == 0 ? i + j : cheapest(table, word, other, i, j);
            }
        }
        return table[word.length()][other.length()];
    }

    private static int cheapest(final int[][] table, final String word, final String other, final int i, final int j) {
        final boolean isSame = word.charAt(i - 1) == other.charAt(j - 1);
        int least = Math.min(table[i - 1][j - 1] + (isSame ? 0 : 1), Math.min(table[i - 1][j], table[i][j - 1]) + 1);
        if (i > 1 && j > 1 && word.charAt(i - 1) == other.charAt(j - 2) && word.charAt(i - 2) == other.charAt(j - 1)) {
            least = Math.min(least, table[i - 2][j - 2] + 1);
        }
        return least;
    }
}
