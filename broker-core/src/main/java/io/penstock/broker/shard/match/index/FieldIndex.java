package io.penstock.broker.shard.match.index;

import io.penstock.broker.filter.value.Comparing;
import io.penstock.broker.filter.value.Numbers;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.Truth;
import io.penstock.broker.filter.value.Work;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldType;
import org.jspecify.annotations.Nullable;

/** The predicates on one field. A structure is made for the first one that needs it, and goes with the last. */
final class FieldIndex {
    /** No evaluation looks at more elements of an array. */
    private static final int ELEMENTS_MAX = Work.STEPS_MAX / 4;

    final int slot;

    /** Where it is among the fields of its index. */
    int place;

    /** Where it is among those of its index that are looked for in messages without them. */
    int placeOfNull;

    private final PostingTable numbers;
    private final PostingTable reals;
    private final IntervalTree ranges;

    /** Made for the first text. */
    private @Nullable TextIndex texts;

    /** One for each kind from {@link PredicateKind#TRUE} on. */
    private final @Nullable Posting[] fixed = new Posting[PredicateKind.FIXED_COUNT];

    private int postingCount;

    FieldIndex(final int slot) {
        this.slot = slot;
        numbers = new PostingTable(PredicateKind.NUMBER, slot);
        reals = new PostingTable(PredicateKind.REAL, slot);
        ranges = new IntervalTree(PredicateKind.RANGE, slot);
    }

    boolean isEmpty() {
        return postingCount == 0;
    }

    private @Nullable Posting fixed(final PredicateKind kind) {
        return fixed[kind.fixedPlace()];
    }

    /** Finds the filters whose predicates on the field are true of a message. */
    void find(final FieldReader message, final Register value, final Found found) {
        final FieldType type = message.type(slot);
        if (type == FieldType.ABSENT || type == FieldType.NULL) {
            add(fixed(PredicateKind.NULL), true, found);
            return;
        }
        add(fixed(PredicateKind.EXISTS), true, found);
        if (type == FieldType.ARRAY) {
            add(fixed(PredicateKind.ARRAY), true, found);
            findElements(message, value, found);
        } else {
            value.load(message, slot);
            find(value, true, found);
        }
    }

    private void findElements(final FieldReader message, final Register value, final Found found) {
        final int count = Math.min(ELEMENTS_MAX, message.elementCount(slot));
        for (int i = 0; i < count; i++) {
            message.element(slot, i);
            value.load(message, slot);
            find(value, false, found);
        }
        message.element(slot, -1);
    }

    private void find(final Register value, final boolean isOfWhole, final Found found) {
        switch (value.type()) {
            case LONG -> find(value.longValue(), isOfWhole, found);
            case DOUBLE -> find(value.doubleValue(), isOfWhole, found);
            case BOOLEAN -> findCondition(value, isOfWhole, found);
            case STRING -> findText(value, isOfWhole, found);
            case UNTYPED -> {
                findText(value, isOfWhole, found);
                findNumber(value, isOfWhole, found);
                findCondition(value, isOfWhole, found);
            }
            default -> {}
        }
    }

    private void findText(final Register value, final boolean isOfWhole, final Found found) {
        final TextIndex ofTexts = texts;
        if (ofTexts != null) {
            ofTexts.find(value, isOfWhole, found);
        }
    }

    private void findNumber(final Register value, final boolean isOfWhole, final Found found) {
        if (numbers.isEmpty() && reals.isEmpty() && ranges.isEmpty()) {
            return;
        }
        final FieldType type = value.numberType();
        if (type == FieldType.LONG) {
            find(value.longValue(), isOfWhole, found);
        } else if (type == FieldType.DOUBLE) {
            find(value.doubleValue(), isOfWhole, found);
        }
    }

    private void find(final long number, final boolean isOfWhole, final Found found) {
        if (!numbers.isEmpty()) {
            add(numbers.get(number), isOfWhole, found);
        }
        if (!ranges.isEmpty()) {
            ranges.find(OrderKeys.of(number), isOfWhole, found);
        }
    }

    private void find(final double number, final boolean isOfWhole, final Found found) {
        if (Numbers.isLong(number)) {
            if (!numbers.isEmpty()) {
                add(numbers.get((long) number), isOfWhole, found);
            }
        } else if (!reals.isEmpty()) {
            add(reals.get(Double.doubleToLongBits(number)), isOfWhole, found);
        }
        if (!ranges.isEmpty()) {
            ranges.find(OrderKeys.of(number), isOfWhole, found);
        }
    }

    private void findCondition(final Register value, final boolean isOfWhole, final Found found) {
        final Posting ofTrue = fixed(PredicateKind.TRUE);
        final Posting ofFalse = fixed(PredicateKind.FALSE);
        if (ofTrue != null || ofFalse != null) {
            final int truth = Comparing.condition(value);
            if (truth != Truth.UNKNOWN) {
                add(truth == Truth.TRUE ? ofTrue : ofFalse, isOfWhole, found);
            }
        }
    }

    private static void add(final @Nullable Posting posting, final boolean isOfWhole, final Found found) {
        if (posting != null) {
            found.add(posting, isOfWhole);
        }
    }

    /** The posting that a filter with a predicate would get; null when it would be a new one. */
    @Nullable
    Posting get(final Predicate predicate, final long search) {
        return switch (predicate.kind()) {
            case NUMBER -> numbers.get(predicate.low());
            case REAL -> reals.get(predicate.low());
            case RANGE -> ranges.get(predicate.low(), predicate.high());
            case TRUE, FALSE, NULL, EXISTS, ARRAY -> fixed(predicate.kind());
            case TEXT, PREFIX, SUFFIX, TEXT_RANGE, CONTAINS, ALWAYS ->
                texts == null ? null : texts.get(predicate, search);
        };
    }

    /** The posting for one more filter with a predicate. */
    Posting make(final Predicate predicate, final long search) {
        final Posting posting = switch (predicate.kind()) {
            case NUMBER -> numbers.make(predicate.low());
            case REAL -> reals.make(predicate.low());
            case RANGE -> ranges.make(predicate.low(), predicate.high());
            case TRUE, FALSE, NULL, EXISTS, ARRAY -> makeFixed(predicate.kind());
            case TEXT, PREFIX, SUFFIX, TEXT_RANGE, CONTAINS, ALWAYS -> texts().make(predicate, search);
        };
        if (posting.size() == 0) {
            postingCount++;
        }
        return posting;
    }

    private TextIndex texts() {
        TextIndex made = texts;
        if (made == null) {
            made = new TextIndex(slot);
            texts = made;
        }
        return made;
    }

    private Posting makeFixed(final PredicateKind kind) {
        final Posting present = fixed(kind);
        if (present != null) {
            return present;
        }
        final Posting made = new Posting(kind, slot);
        fixed[kind.fixedPlace()] = made;
        return made;
    }

    /** A posting has no filter any more. */
    void remove(final Posting posting) {
        postingCount--;
        switch (posting.kind()) {
            case NUMBER -> numbers.remove(posting);
            case REAL -> reals.remove(posting);
            case RANGE -> ranges.remove(posting);
            case TRUE, FALSE, NULL, EXISTS, ARRAY -> fixed[posting.kind().fixedPlace()] = null;
            case TEXT, PREFIX, SUFFIX, TEXT_RANGE, CONTAINS, ALWAYS -> texts().remove(posting);
        }
    }
}
