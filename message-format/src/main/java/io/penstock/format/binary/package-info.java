/**
 * Messages that are bytes and nothing else.
 *
 * <p>What the format makes is owned by the agent that made it.
 */
@NullMarked
package io.penstock.format.binary;

import org.jspecify.annotations.NullMarked;
