/**
 * Pairs of messages of two topics: their fields read as if they were one message, and the values by which they are paired.
 *
 * <p>Owned by the agent that made them.
 */
@NullMarked
package io.penstock.broker.query.join;

import org.jspecify.annotations.NullMarked;
