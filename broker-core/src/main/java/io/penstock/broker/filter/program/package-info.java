/**
 * Filters as programs: a condition is a flat list of tests and jumps, an expression a list of instructions over registers.
 *
 * <p>A program is confined to the thread that owns its filter.
 */
@NullMarked
package io.penstock.broker.filter.program;

import org.jspecify.annotations.NullMarked;
