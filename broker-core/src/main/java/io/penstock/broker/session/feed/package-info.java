/**
 * Subscriptions as clients know them, and their feeds: what serves each, and what is left to be sent to it. All is
 * confined to the I/O agent of the client.
 */
@NullMarked
package io.penstock.broker.session.feed;

import org.jspecify.annotations.NullMarked;
