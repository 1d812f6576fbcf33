/**
 * One client as its I/O agent knows it, and the state that all clients of that agent share. All handlers use this
 * package. Confined to the I/O agent.
 */
@NullMarked
package io.penstock.broker.session.client;

import org.jspecify.annotations.NullMarked;
