/**
 * Benchmarks of queries.
 *
 * <p>Each state is owned by its benchmark's thread.
 */
@NullMarked
package io.penstock.jmh.query;

import org.jspecify.annotations.NullMarked;
