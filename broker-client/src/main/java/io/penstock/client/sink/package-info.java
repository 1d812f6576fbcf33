/**
 * The client's side of sinks: the implementation of a {@link io.penstock.client.BlockWriter}, and the deliveries of all
 * writers. Internal.
 *
 * <p>Threads of the program fill blocks; deliveries are owned by the client's thread. Knows the engine only by two
 * interfaces that are declared here: the connection for blocks, and the state of the client.
 */
@NullMarked
package io.penstock.client.sink;

import org.jspecify.annotations.NullMarked;
