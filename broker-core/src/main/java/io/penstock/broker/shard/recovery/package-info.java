/**
 * Restores a shard from its files, and writes its state to files.
 *
 * <p>Used by the thread that starts the broker, by the journaler and by the keeper, as each class says.
 */
@NullMarked
package io.penstock.broker.shard.recovery;

import org.jspecify.annotations.NullMarked;
