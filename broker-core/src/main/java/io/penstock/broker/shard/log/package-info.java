/**
 * The log of a shard in memory: a window of recycled memory, its appender and its readers.
 *
 * <p>Written by the shard's sequencer alone; everything before the published position is read-only for everyone.
 */
@NullMarked
package io.penstock.broker.shard.log;

import org.jspecify.annotations.NullMarked;
