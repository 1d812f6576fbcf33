/**
 * What the broker has to say to those who run it: one line an event, through the JDK's {@link java.lang.System.Logger}.
 * Reported from any thread without waiting; written by a thread of its own, or by whoever drives the broker.
 */
@NullMarked
package io.penstock.broker.event;

import org.jspecify.annotations.NullMarked;
