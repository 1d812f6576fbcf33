/**
 * The SPI of message formats: how a message is validated once, and its fields are then read from its bytes, compared and
 * put together. What broker, tools and command line know of a format is in here; the formats are packages of their own.
 *
 * <p>A reader, validator, editor or writer is owned by the agent that made it.
 */
@NullMarked
package io.penstock.format;

import org.jspecify.annotations.NullMarked;
