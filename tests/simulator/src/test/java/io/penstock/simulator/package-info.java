/**
 * A simulator: real brokers on a simulated clock, disk and network, with clients that publish, subscribe and query, faults
 * at any moment, and checks of everything that the broker has promised. All of it follows from a seed and runs on the
 * caller's thread.
 */
@NullMarked
package io.penstock.simulator;

import org.jspecify.annotations.NullMarked;
