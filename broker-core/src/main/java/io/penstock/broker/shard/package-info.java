/**
 * A shard: the sequencer, which is the one writer of its log, and the commands that I/O agents give it.
 *
 * <p>Everything below this package is part of the shard as well. Owned by the sequencer, except where a class says
 * otherwise.
 */
@NullMarked
package io.penstock.broker.shard;

import org.jspecify.annotations.NullMarked;
