/**
 * What permissions cost on the path of a message.
 *
 * <p>Owned by the main thread.
 */
@NullMarked
package io.penstock.jmh.security;

import org.jspecify.annotations.NullMarked;
