/**
 * What stands in for a medium that this machine has not: TCP where an endpoint asks for that, else an error that says
 * why. Owned by the agent of the transport.
 */
@NullMarked
package io.penstock.transport.fallback;

import org.jspecify.annotations.NullMarked;
