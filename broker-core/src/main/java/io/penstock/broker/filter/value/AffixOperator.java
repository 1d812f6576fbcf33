package io.penstock.broker.filter.value;

/** The operators that look for one text in another. */
public enum AffixOperator implements PairTest {
    BEGINS_WITH("BEGINS WITH"),
    ENDS_WITH("ENDS WITH"),
    CONTAINS("CONTAINS");

    private final String words;

    AffixOperator(final String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }

    @Override
    public int truth(final Register left, final Register right) {
        if (left.isUnknown() || right.isUnknown()) {
            return Truth.UNKNOWN;
        }
        if (!left.isText() || !right.isText()) {
            return Truth.FALSE;
        }
        return Truth.of(
                switch (this) {
                    case BEGINS_WITH -> Texts.regionEquals(left, 0, right);
                    case ENDS_WITH -> Texts.regionEquals(left, left.length() - right.length(), right);
                    case CONTAINS -> Texts.indexOf(left, right) >= 0;
                });
    }
}
