package io.penstock.broker.query.collect;

import io.penstock.format.FieldReader;

/** Groups that take rows one by one, and totals of many rows at once. Groups are numbered from 0. */
public interface GroupTarget {
    /** There is no room for another group. */
    int NO_GROUP = -1;

    /**
     * Adds a row.
     *
     * @param row reader at the row.
     * @return its group, or {@link #NO_GROUP}; then nothing has changed.
     */
    int add(FieldReader row);

    /**
     * Adds a row to its group.
     *
     * @param group number.
     * @param row   reader at the row.
     */
    void addTo(int group, FieldReader row);

    /**
     * Adds rows to a group; their values come by the other methods.
     *
     * @param group number.
     * @param count of rows.
     */
    void addRows(int group, long count);

    /**
     * Adds values that are there to a count.
     *
     * @param group number.
     * @param part  of the group.
     * @param count of values.
     */
    void addCount(int group, int part, long count);

    /**
     * Adds integers to a sum.
     *
     * @param group number.
     * @param part  of the group.
     * @param count of integers.
     * @param sum   of them.
     */
    void addLongs(int group, int part, long count, long sum);

    /**
     * Adds doubles to a sum, by their exact sum in two parts.
     *
     * @param group        number.
     * @param part         of the group.
     * @param count        of doubles.
     * @param high         one part, an integer of the unit 2 to the power of its exponent.
     * @param highExponent exponent.
     * @param low          the other part, in the same way.
     * @param lowExponent  exponent.
     */
    void addReals(int group, int part, long count, long high, int highExponent, long low, int lowExponent);

    /**
     * Adds a double to a sum.
     *
     * @param group  number.
     * @param part   of the group.
     * @param number that is finite.
     */
    void addReal(int group, int part, double number);

    /**
     * Adds numbers to extremes.
     *
     * @param group    number.
     * @param part     of the group.
     * @param least    the least of them.
     * @param greatest the greatest one.
     */
    void addExtremes(int group, int part, double least, double greatest);

    /**
     * Whether no row can be added, since there are too many different values.
     *
     * @return true for good.
     */
    boolean isFull();

    /**
     * Adds the value of a row to the different values of a part.
     *
     * @param group number.
     * @param part  of the group.
     * @param row   reader at the row.
     */
    void addDistinct(int group, int part, FieldReader row);

    /**
     * Adds an integer to the different values of a part.
     *
     * @param group  number.
     * @param part   of the group.
     * @param number the integer.
     */
    void addDistinct(int group, int part, long number);

    /**
     * Adds a double to the different values of a part.
     *
     * @param group  number.
     * @param part   of the group.
     * @param number that is finite.
     */
    void addDistinct(int group, int part, double number);
}
