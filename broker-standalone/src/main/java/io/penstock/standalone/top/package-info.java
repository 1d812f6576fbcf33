/**
 * What a broker does now: rates of its topics and clients, from its counters.
 *
 * <p>Owned by the main thread.
 */
@NullMarked
package io.penstock.standalone.top;

import org.jspecify.annotations.NullMarked;
