/**
 * Measures how fast many producers deliver blocks to a sink: each producer over a connection, up to eight processes of
 * them, a broker in another one.
 *
 * <p>Owned by the main thread of each process.
 */
@NullMarked
package io.penstock.bench.put;

import org.jspecify.annotations.NullMarked;
