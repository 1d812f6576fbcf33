/**
 * What every transport must pass. Subclass {@link io.penstock.transport.tck.TransportTck} in the tests of a transport.
 *
 * <p>Both sides are polled by the test's thread, unless a case is about threads.
 */
@NullMarked
package io.penstock.transport.tck;

import org.jspecify.annotations.NullMarked;
