/**
 * Message formats: how the fields of a message are validated once and then read from its bytes.
 *
 * <p>A reader or validator is owned by the agent that made it.
 */
@NullMarked
package io.penstock.broker.format;

import org.jspecify.annotations.NullMarked;
