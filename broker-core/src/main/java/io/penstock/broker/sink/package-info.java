/**
 * Sinks: files into which many producers deliver blocks, which are merged in the order in which they are complete. A file
 * of plain bytes, and beside it an index that says which block is where.
 *
 * <p>Owned by the sink agent.
 */
@NullMarked
package io.penstock.broker.sink;

import org.jspecify.annotations.NullMarked;
