package io.penstock.broker.topic;

/**
 * That a view is computed from two topics. Immutable. The left one is the source of the view.
 *
 * @param right     name of the topic with state that is joined to the source.
 * @param leftName  how expressions call records of the source.
 * @param rightName how they call records of the other topic.
 * @param isOuter   whether a record of the source without a pair has a row as well.
 * @param on        equalities of fields of both.
 */
public record JoinRule(String right, String leftName, String rightName, boolean isOuter, String on) {}
