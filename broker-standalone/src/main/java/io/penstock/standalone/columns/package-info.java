/**
 * {@code penstock columns}: the columns of a broker's topics, by its admin server.
 *
 * <p>Run by the main thread.
 */
@NullMarked
package io.penstock.standalone.columns;

import org.jspecify.annotations.NullMarked;
