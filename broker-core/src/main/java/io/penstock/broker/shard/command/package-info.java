/**
 * Commands that I/O agents give to a shard's sequencer, each a class that comes back as its reply.
 *
 * <p>A command is the sequencer's from when it is offered until it comes back. An ordered one changes what the log has; a local
 * one concerns clients of this broker alone.
 */
@NullMarked
package io.penstock.broker.shard.command;

import org.jspecify.annotations.NullMarked;
