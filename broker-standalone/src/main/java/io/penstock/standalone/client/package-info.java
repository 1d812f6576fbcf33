/**
 * {@code penstock client}: the clients of a broker, by its admin server.
 *
 * <p>Run by the main thread.
 */
@NullMarked
package io.penstock.standalone.client;

import org.jspecify.annotations.NullMarked;
