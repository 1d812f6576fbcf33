/**
 * Filters: the text of a search condition is read into a syntax tree, compiled to a flat program, and run over the
 * fields of one message at a time.
 *
 * <p>Text, tree and program are immutable once built; a {@link io.penstock.broker.filter.Filter} is owned by the agent
 * that compiled it.
 */
@NullMarked
package io.penstock.broker.filter;

import org.jspecify.annotations.NullMarked;
