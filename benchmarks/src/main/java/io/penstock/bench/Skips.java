package io.penstock.bench;

/** What the matches of a filter say about progress: after a delivery, nothing comes before the next match. */
final class Skips {
    private final int[] distance;
    private final int[] matchesBefore;
    private final long matchCount;
    private final int documentCount;

    /**
     * Works it out.
     *
     * @param matches which documents match; they are published over and over.
     */
    Skips(final boolean[] matches) {
        documentCount = matches.length;
        distance = new int[documentCount];
        matchesBefore = new int[documentCount];
        int count = 0;
        for (int i = 0; i < documentCount; i++) {
            matchesBefore[i] = count;
            count += matches[i] ? 1 : 0;
            int next = 1;
            while (next < documentCount && !matches[(i + next) % documentCount]) {
                next++;
            }
            distance[i] = next;
        }
        matchCount = count;
    }

    /** Position of a subscriber that has got nothing yet: the number of the first message that it gets. */
    long first() {
        return matchCount == 0 ? Long.MAX_VALUE : distance[documentCount - 1] - 1L;
    }

    /** Position of a subscriber that has got this message: the number of the next one it gets. */
    long after(final long number) {
        return number + distance[(int) (number % documentCount)];
    }

    /** How many messages a subscriber gets of the first so many. */
    long matchesBelow(final long count) {
        return count / documentCount * matchCount + matchesBefore[(int) (count % documentCount)];
    }

    boolean isEveryMatch() {
        return matchCount == documentCount;
    }
}
