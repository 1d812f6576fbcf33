/**
 * Stands in for a medium that this machine lacks: TCP where an endpoint asks for it, else an error that says why. Owned
 * by the agent of the transport.
 */
@NullMarked
package io.penstock.transport.fallback;

import org.jspecify.annotations.NullMarked;
