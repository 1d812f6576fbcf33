/**
 * A bare forwarder, in a process of its own, with which a broker is compared.
 *
 * <p>One thread owns everything here.
 */
@NullMarked
package io.penstock.bench.forwarder;

import org.jspecify.annotations.NullMarked;
