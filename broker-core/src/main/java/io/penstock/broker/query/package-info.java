/**
 * Queries: select lists and aggregates over messages, and the order of records.
 *
 * <p>What is read from text is immutable; what runs over messages is owned by the agent that made it.
 */
@NullMarked
package io.penstock.broker.query;

import org.jspecify.annotations.NullMarked;
