/**
 * From a configuration file and flags to the broker's configuration records.
 *
 * <p>Used by the main thread before the broker starts, and not again.
 */
@NullMarked
package io.penstock.standalone.config;

import org.jspecify.annotations.NullMarked;
