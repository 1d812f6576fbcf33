/**
 * Scheme {@code rdma}: frames between machines over reliable connections of RDMA devices, from and into memory that is
 * registered once.
 *
 * <p>Owned by the agent that opened the transport, and a control thread beside it; see {@link
 * io.penstock.transport.rdma.verbs}.
 */
@NullMarked
package io.penstock.transport.rdma;

import org.jspecify.annotations.NullMarked;
