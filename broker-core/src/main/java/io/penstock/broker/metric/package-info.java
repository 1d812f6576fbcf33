/**
 * The metrics of a broker: which name, unit and labels each counter and histogram has for those who collect them.
 * Immutable, for any thread.
 */
@NullMarked
package io.penstock.broker.metric;

import org.jspecify.annotations.NullMarked;
