/**
 * The transport SPI: how frames get from one peer to another, whatever the medium.
 *
 * <p>A transport and its connections are owned by the one agent that opened it.
 */
@NullMarked
package io.penstock.transport;

import org.jspecify.annotations.NullMarked;
