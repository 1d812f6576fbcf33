/**
 * Measures how a broker matches messages with many filters, beside plain loops in C over the same predicates.
 *
 * <p>The main thread runs everything; the broker and a paced publisher have threads of their own.
 */
@NullMarked
package io.penstock.bench.match;

import org.jspecify.annotations.NullMarked;
