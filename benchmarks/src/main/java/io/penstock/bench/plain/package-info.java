/**
 * Plain loops in C, which benchmarks measure beside the broker: what the machine can do.
 *
 * <p>The thread that measures owns all of it.
 */
@NullMarked
package io.penstock.bench.plain;

import org.jspecify.annotations.NullMarked;
