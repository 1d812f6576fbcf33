/**
 * Drives the order desk of the examples, as it is packaged, against a broker that is killed meanwhile. One thread for each run, and
 * some that send orders.
 */
@NullMarked
package io.penstock.orderdesk;

import org.jspecify.annotations.NullMarked;
