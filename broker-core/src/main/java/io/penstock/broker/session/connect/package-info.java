/**
 * Lets clients in and gives them their names; what administrators ask for, and how things stand. All but the directory of
 * names is confined to one I/O agent.
 */
@NullMarked
package io.penstock.broker.session.connect;

import org.jspecify.annotations.NullMarked;
