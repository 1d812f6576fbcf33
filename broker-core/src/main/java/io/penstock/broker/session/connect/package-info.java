/**
 * Lets clients in and gives them their names; commands of administrators; counters. Everything except the directory of
 * names is confined to one I/O agent.
 */
@NullMarked
package io.penstock.broker.session.connect;

import org.jspecify.annotations.NullMarked;
