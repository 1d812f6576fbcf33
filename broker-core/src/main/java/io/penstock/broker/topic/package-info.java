/**
 * Topics: their names, formats and shards.
 *
 * <p>A shard's table is written by its sequencer; everything published by it is immutable.
 */
@NullMarked
package io.penstock.broker.topic;

import org.jspecify.annotations.NullMarked;
