/**
 * Authentication and authorization: one choke point for every command of every transport.
 *
 * <p>Called by I/O agents; implementations must be thread-safe.
 */
@NullMarked
package io.penstock.broker.security;

import org.jspecify.annotations.NullMarked;
