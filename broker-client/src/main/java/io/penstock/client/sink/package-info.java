/**
 * The client's side of sinks: what is behind a {@link io.penstock.client.BlockWriter}, and the deliveries of all writers. Internal.
 *
 * <p>Threads of the program fill blocks; deliveries are owned by the client's thread. Knows the engine only by the two
 * interfaces that it says here: the connection that blocks go by, and the state of the client.
 */
@NullMarked
package io.penstock.client.sink;

import org.jspecify.annotations.NullMarked;
