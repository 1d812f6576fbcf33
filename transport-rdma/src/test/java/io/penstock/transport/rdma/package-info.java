/** Tests of the transport, over a fabric in memory, and over a device where there is one. */
@NullMarked
package io.penstock.transport.rdma;

import org.jspecify.annotations.NullMarked;
