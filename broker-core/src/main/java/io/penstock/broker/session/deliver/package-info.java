/**
 * Sends clients the messages that descriptors name, straight from where they lie. Confined to one I/O agent.
 */
@NullMarked
package io.penstock.broker.session.deliver;

import org.jspecify.annotations.NullMarked;
