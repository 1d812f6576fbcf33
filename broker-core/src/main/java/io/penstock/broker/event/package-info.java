/**
 * Events of the broker for its operator: one line each, through the JDK's {@link java.lang.System.Logger}. Any thread
 * reports them without waiting; a thread of its own writes them, or the thread that drives the broker.
 */
@NullMarked
package io.penstock.broker.event;

import org.jspecify.annotations.NullMarked;
