package io.penstock.broker;

/** Which records of the left topic of a join have rows. */
public enum JoinType {
    /** Those with a record of the right one. */
    INNER,

    /** All: where there is no record of the right one, its fields are absent. */
    LEFT
}
