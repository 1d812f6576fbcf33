/**
 * The Java client: {@link io.penstock.client.PenstockClient} for programs, {@link io.penstock.client.ClientSession}
 * below it for programs that drive everything in a thread of their own.
 *
 * <p>A session is owned by one agent; a client owns the agent and its thread, and its methods may be called by any.
 *
 * <p>Programs call this package; the packages that implement it are internal: {@code engine}, {@code session}, {@code
 * store}, {@code sink} and {@code warning}. These use the values, handlers, listeners, stores and exceptions that are
 * here. The other way, few types know a room: the clients and their subscriptions, streams and administration the
 * engine; {@code ClientSession} the session; {@code BlockWriter} and {@code Block} sinks; {@code PublishStore} and
 * {@code BookmarkStore} the stores that they make; the handlers that warn unless they are overridden {@code warning}.
 */
@NullMarked
package io.penstock.client;

import org.jspecify.annotations.NullMarked;
