package io.penstock.broker.filter.regex;

import java.util.List;

/** The syntax tree of a regular expression. Groups only bracket: nothing is captured. */
sealed interface RegexNode {
    /** A condition on a place between two code points. */
    enum Place {
        TEXT_START,
        TEXT_END,
        LINE_START,
        LINE_END,
        WORD_BOUNDARY,
        NO_WORD_BOUNDARY
    }

    /** One code point of a set. */
    record OneOf(CodePointSet set) implements RegexNode {}

    /** Nothing, at a certain place. */
    record At(Place place) implements RegexNode {}

    /** One after the other; none is the empty text. */
    record Sequence(List<RegexNode> parts) implements RegexNode {}

    /** One or another. */
    record Choice(List<RegexNode> parts) implements RegexNode {}

    /**
     * Again and again.
     *
     * @param part     repeated.
     * @param countMin times at least.
     * @param countMax times at most, or {@link #UNLIMITED}.
     */
    record Repeat(RegexNode part, int countMin, int countMax) implements RegexNode {
        static final int UNLIMITED = -1;
    }
}
