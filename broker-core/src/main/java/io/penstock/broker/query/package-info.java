/**
 * Queries: select lists and aggregates over messages.
 *
 * <p>What is read from text is immutable; what runs over messages is owned by the agent that made it.
 */
@NullMarked
package io.penstock.broker.query;

import org.jspecify.annotations.NullMarked;
