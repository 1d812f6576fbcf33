/**
 * The loggers of the process: one line an event, to standard error, as text or as JSON. What the broker, its clients and
 * the JDK give to {@link java.lang.System.Logger} comes here. Any thread.
 */
@NullMarked
package io.penstock.standalone.logger;

import org.jspecify.annotations.NullMarked;
