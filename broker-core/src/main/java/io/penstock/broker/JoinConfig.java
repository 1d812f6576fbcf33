package io.penstock.broker;

/**
 * That a view is computed from two topics: a row for each pair of their records that have equal values in some fields.
 *
 * @param left      name of a declared topic with state, or of a view that comes before; empty for no join.
 * @param right     the same, of the other one.
 * @param leftName  how expressions call records of the left one; empty for its name.
 * @param rightName how they call records of the right one; empty for its name.
 * @param type      which records of the left one have rows.
 * @param on        which fields have to be equal, for example {@code /orders/customer = /customers/id}.
 */
public record JoinConfig(String left, String right, String leftName, String rightName, JoinType type, String on) {
    /** No join. */
    public static final JoinConfig NONE = new JoinConfig("", "", "", "", JoinType.INNER, "");

    public JoinConfig {
        final boolean isUsed = !left.isEmpty() || !right.isEmpty() || !on.isBlank();
        if (isUsed && (left.isEmpty() || right.isEmpty() || on.isBlank())) {
            throw new IllegalArgumentException("views.join: left, right or on missing (give all three)");
        }
        if (leftName.isEmpty()) {
            leftName = left;
        }
        if (rightName.isEmpty()) {
            rightName = right;
        }
        if (isUsed && leftName.equals(rightName)) {
            throw new IllegalArgumentException("views.join: left and right have the same name: " + leftName
                    + " (give one of them another one, as leftName or rightName)");
        }
    }

    /**
     * A row for each pair of records.
     *
     * @param left  name of a topic.
     * @param right name of the other one.
     * @param on    which fields have to be equal.
     * @return the join.
     */
    public static JoinConfig inner(final String left, final String right, final String on) {
        return new JoinConfig(left, right, "", "", JoinType.INNER, on);
    }

    /**
     * The same, and a row for each record of the left topic without a pair.
     *
     * @param left  name of a topic.
     * @param right name of the other one.
     * @param on    which fields have to be equal.
     * @return the join.
     */
    public static JoinConfig left(final String left, final String right, final String on) {
        return new JoinConfig(left, right, "", "", JoinType.LEFT, on);
    }

    /**
     * Whether there is a join.
     *
     * @return false for {@link #NONE}.
     */
    public boolean isUsed() {
        return !left.isEmpty();
    }
}
