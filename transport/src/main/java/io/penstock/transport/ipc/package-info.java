/**
 * Scheme {@code ipc}: frames between processes of one user on one machine, through a mapped file with a ring in each
 * direction.
 *
 * <p>Owned by the agent that opened the transport; only {@link io.penstock.transport.Transport#wakeup()} may be called
 * by others. Bytes travel in the file ({@link io.penstock.transport.ipc.RingFile}); a socket with a path beside it
 * takes new connections, wakes sleepers, and shows when a process has ended. Nothing that a peer can write is trusted:
 * each length and position is read once and checked, and a fragment is copied before anybody looks at it.
 */
@NullMarked
package io.penstock.transport.ipc;

import org.jspecify.annotations.NullMarked;
