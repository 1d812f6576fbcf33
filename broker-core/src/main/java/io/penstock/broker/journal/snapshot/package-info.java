/**
 * Files with a shard's state at one sequence.
 *
 * <p>Confined to the thread that writes or reads a file.
 */
@NullMarked
package io.penstock.broker.journal.snapshot;

import org.jspecify.annotations.NullMarked;
