/**
 * The commands for a cluster: how its nodes are, and a demonstration of one.
 *
 * <p>Used by the main thread.
 */
@NullMarked
package io.penstock.standalone.cluster;

import org.jspecify.annotations.NullMarked;
