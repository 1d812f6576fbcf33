/**
 * Several nodes as one broker: the order of what their shards apply is kept by Aeron Cluster.
 *
 * <p>I/O agents put commands into lanes. One thread of the node takes them from there to whoever leads, and a service takes
 * what a majority has from Aeron's log to the shards. Broker and client know nothing of this package.
 */
@NullMarked
package io.penstock.cluster;

import org.jspecify.annotations.NullMarked;
