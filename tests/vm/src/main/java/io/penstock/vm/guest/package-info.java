/**
 * What runs inside the machine: one suite of tests in one JVM, with the device's counters read before and after it.
 *
 * <p>Run by the main thread, and by the threads that tests start.
 */
@NullMarked
package io.penstock.vm.guest;

import org.jspecify.annotations.NullMarked;
