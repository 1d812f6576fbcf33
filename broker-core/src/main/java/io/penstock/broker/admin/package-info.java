/**
 * What the broker tells about itself.
 *
 * <p>Read from any thread.
 */
@NullMarked
package io.penstock.broker.admin;

import org.jspecify.annotations.NullMarked;
