/**
 * Boots a throw-away machine with an RDMA device in software, runs suites of tests in it, and brings back what they and
 * the device's counters say.
 *
 * <p>Run by the main thread; a thread of its own reads the machine's console.
 */
@NullMarked
package io.penstock.vm;

import org.jspecify.annotations.NullMarked;
