/**
 * The text of filters and select lists, read into a syntax tree and written again in canonical form.
 *
 * <p>Immutable once read.
 */
@NullMarked
package io.penstock.broker.filter.syntax;

import org.jspecify.annotations.NullMarked;
