/**
 * The provider {@code shim} of {@link io.penstock.transport.rdma.verbs}: through this project's native library, which calls
 * libibverbs and librdmacm. Threads are those of the interface.
 */
@NullMarked
package io.penstock.transport.rdma.shim;

import org.jspecify.annotations.NullMarked;
