/**
 * Queries: select lists and aggregates over messages, and the order of records.
 *
 * <p>Parsed texts are immutable; classes that run over messages are owned by the agent that made them.
 */
@NullMarked
package io.penstock.broker.query;

import org.jspecify.annotations.NullMarked;
