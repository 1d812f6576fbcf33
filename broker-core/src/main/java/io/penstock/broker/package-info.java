/**
 * The broker and its configuration.
 *
 * <p>Broker may be used from any thread.
 */
@NullMarked
package io.penstock.broker;

import org.jspecify.annotations.NullMarked;
