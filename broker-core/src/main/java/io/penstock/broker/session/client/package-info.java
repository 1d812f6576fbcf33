/**
 * One client as its I/O agent knows it, and what all clients of that agent share. All handlers stand on it; all is confined
 * to the I/O agent.
 */
@NullMarked
package io.penstock.broker.session.client;

import org.jspecify.annotations.NullMarked;
