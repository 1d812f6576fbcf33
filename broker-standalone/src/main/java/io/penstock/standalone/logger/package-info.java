/**
 * The loggers of the process: one line an event, to standard error, as text or as JSON. Messages of the broker, its
 * clients and the JDK to {@link java.lang.System.Logger} come here. Any thread.
 */
@NullMarked
package io.penstock.standalone.logger;

import org.jspecify.annotations.NullMarked;
