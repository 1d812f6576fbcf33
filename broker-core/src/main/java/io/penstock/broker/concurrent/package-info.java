/**
 * Objects that agents share: counters, the error log, watermarks, readiness bits and ways to wait.
 *
 * <p>The only package with volatile state of its own.
 */
@NullMarked
package io.penstock.broker.concurrent;

import org.jspecify.annotations.NullMarked;
