/**
 * Scheme {@code smc}: frames over the kernel's sockets of the family AF_SMC, which shake hands over TCP and then move
 * their bytes by RDMA or shared memory. Owned by the agent that opened the transport.
 */
@NullMarked
package io.penstock.transport.smc;

import org.jspecify.annotations.NullMarked;
