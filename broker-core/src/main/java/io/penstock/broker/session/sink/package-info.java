/** Takes blocks for sinks, and reports the results. Confined to one I/O agent. */
@NullMarked
package io.penstock.broker.session.sink;

import org.jspecify.annotations.NullMarked;
