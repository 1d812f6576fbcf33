/**
 * Subscriptions as clients know them, and their feeds: what serves each feed, and what is left to be sent. Confined to
 * the I/O agent of the client.
 */
@NullMarked
package io.penstock.broker.session.feed;

import org.jspecify.annotations.NullMarked;
