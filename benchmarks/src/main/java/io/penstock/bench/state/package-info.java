/**
 * Measures the state: stores and queries in this process beside plain Java loops over the same memory, and a broker of
 * this process that is queried while it is updated.
 *
 * <p>The main thread runs everything; queries, publishers and brokers have threads of their own.
 */
@NullMarked
package io.penstock.bench.state;

import org.jspecify.annotations.NullMarked;
