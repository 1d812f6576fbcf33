/**
 * Benchmarks of filters.
 *
 * <p>Each state is owned by its benchmark's thread.
 */
@NullMarked
package io.penstock.jmh.filter;

import org.jspecify.annotations.NullMarked;
