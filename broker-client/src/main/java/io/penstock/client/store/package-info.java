/**
 * Stores of a client, in memory and in files, behind {@link io.penstock.client.PublishStore} and {@link
 * io.penstock.client.BookmarkStore}. Internal.
 *
 * <p>Owned by one client: threads that publish take turns, and its own thread reads and discards at the same time. Knows
 * neither the engine nor the other rooms.
 */
@NullMarked
package io.penstock.client.store;

import org.jspecify.annotations.NullMarked;
