/**
 * The Java client: {@link io.penstock.client.PenstockClient} for programs, {@link io.penstock.client.ClientSession}
 * below it for those that drive everything in a thread of their own.
 *
 * <p>A session is owned by one agent; a client owns the agent and its thread, and its methods may be called by any.
 */
@NullMarked
package io.penstock.client;

import org.jspecify.annotations.NullMarked;
