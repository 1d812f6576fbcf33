/**
 * JSON, checked once and read in place.
 *
 * <p>All but the format itself is owned by the agent that made it.
 */
@NullMarked
package io.penstock.format.json;

import org.jspecify.annotations.NullMarked;
