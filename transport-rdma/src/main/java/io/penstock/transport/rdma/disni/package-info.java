/**
 * The provider {@code disni} of {@link io.penstock.transport.rdma.verbs}: DiSNI's classes over native methods of this
 * project. Prepared calls of DiSNI are filled in and executed again, so that a post or a poll makes no objects. Threads are
 * those of the interface.
 */
@NullMarked
package io.penstock.transport.rdma.disni;

import org.jspecify.annotations.NullMarked;
