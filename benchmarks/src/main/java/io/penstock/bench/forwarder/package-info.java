/**
 * A bare forwarder, run in a process of its own: what a broker is measured beside.
 *
 * <p>One thread owns everything here.
 */
@NullMarked
package io.penstock.bench.forwarder;

import org.jspecify.annotations.NullMarked;
