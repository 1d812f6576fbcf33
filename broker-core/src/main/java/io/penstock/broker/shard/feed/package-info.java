/**
 * Serves subscriptions that are not live: cursors over the window and over the journal's files.
 *
 * <p>Owned by the replayer and the file replayer.
 */
@NullMarked
package io.penstock.broker.shard.feed;

import org.jspecify.annotations.NullMarked;
