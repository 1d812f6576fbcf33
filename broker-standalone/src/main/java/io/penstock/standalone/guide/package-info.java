/**
 * What the commands say of themselves to shells and to {@code man}.
 *
 * <p>Owned by the main thread.
 */
@NullMarked
package io.penstock.standalone.guide;

import org.jspecify.annotations.NullMarked;
