/** Takes blocks for sinks, and says what became of them. Confined to one I/O agent. */
@NullMarked
package io.penstock.broker.session.sink;

import org.jspecify.annotations.NullMarked;
