/**
 * The commands of an ordered log, as bytes: what one I/O agent has for one shard, in a form that every node of several applies
 * alike.
 *
 * <p>Flyweights over the bytes of others. Written by I/O agents, read by sequencers; nothing is kept here.
 */
@NullMarked
package io.penstock.broker.shard.order;

import org.jspecify.annotations.NullMarked;
