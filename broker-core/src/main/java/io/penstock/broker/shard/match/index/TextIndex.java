package io.penstock.broker.shard.match.index;

import io.penstock.broker.filter.value.Register;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** The predicates on the texts of one field. */
final class TextIndex {
    private final TextPostings equal;
    private final AffixPostings prefixes;
    private final AffixPostings suffixes;
    private final GramPostings grams;
    private final IntervalTree ranges;

    TextIndex(final int slot) {
        equal = new TextPostings(slot);
        prefixes = new AffixPostings(PredicateKind.PREFIX, slot);
        suffixes = new AffixPostings(PredicateKind.SUFFIX, slot);
        grams = new GramPostings(slot);
        ranges = new IntervalTree(PredicateKind.TEXT_RANGE, slot);
    }

    void find(final Register value, final boolean isOfWhole, final Found found) {
        final DirectBuffer buffer = value.buffer();
        final int offset = value.offset();
        final int length = value.length();
        if (!equal.isEmpty()) {
            equal.find(buffer, offset, length, isOfWhole, found);
        }
        if (!prefixes.isEmpty()) {
            prefixes.find(buffer, offset, length, isOfWhole, found);
        }
        if (!suffixes.isEmpty()) {
            suffixes.find(buffer, offset, length, isOfWhole, found);
        }
        if (!grams.isEmpty()) {
            grams.find(buffer, offset, length, isOfWhole, found);
        }
        if (!ranges.isEmpty()) {
            ranges.find(OrderKeys.ofText(buffer, offset, length), isOfWhole, found);
        }
    }

    @Nullable
    Posting get(final Predicate predicate, final long search) {
        return switch (predicate.kind()) {
            case TEXT -> equal.get(predicate.text());
            case PREFIX -> prefixes.get(predicate.text());
            case SUFFIX -> suffixes.get(predicate.text());
            case CONTAINS -> grams.get(predicate.text(), search);
            case TEXT_RANGE -> ranges.get(predicate.low(), predicate.high());
            default -> throw new IllegalArgumentException("index: not about texts: " + predicate);
        };
    }

    Posting make(final Predicate predicate, final long search) {
        return switch (predicate.kind()) {
            case TEXT -> equal.make(predicate.text());
            case PREFIX -> prefixes.make(predicate.text());
            case SUFFIX -> suffixes.make(predicate.text());
            case CONTAINS -> grams.make(predicate.text(), search);
            case TEXT_RANGE -> ranges.make(predicate.low(), predicate.high());
            default -> throw new IllegalArgumentException("index: not about texts: " + predicate);
        };
    }

    void remove(final Posting posting) {
        switch (posting.kind()) {
            case TEXT -> equal.remove(posting);
            case PREFIX -> prefixes.remove(posting);
            case SUFFIX -> suffixes.remove(posting);
            case CONTAINS -> grams.remove(posting);
            case TEXT_RANGE -> ranges.remove(posting);
            default -> throw new IllegalArgumentException("index: not about texts: " + posting.kind());
        }
    }
}
