/**
 * One order of commands over several nodes, kept by Aeron Cluster.
 *
 * <p>An I/O agent of a node hands over batches of messages; a service on each node takes them in the same order, once a
 * majority has them on stable storage.
 */
@NullMarked
package io.penstock.broker.cluster;

import org.jspecify.annotations.NullMarked;
