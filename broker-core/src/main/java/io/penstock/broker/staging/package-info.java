/**
 * Room for long frames while they arrive.
 *
 * <p>Owned by the I/O agent of the connections.
 */
@NullMarked
package io.penstock.broker.staging;

import org.jspecify.annotations.NullMarked;
