/**
 * The files of a shard's log: written, synced, indexed, checked, recovered, and let go.
 *
 * <p>Confined to the journaler, the keeper or the thread that starts the broker, as each class says.
 */
@NullMarked
package io.penstock.broker.journal;

import org.jspecify.annotations.NullMarked;
