/**
 * How a bridge is configured: where it listens, with what keys, and its limits.
 *
 * <p>Values; safe on any thread.
 */
@NullMarked
package io.penstock.bridge.config;

import org.jspecify.annotations.NullMarked;
