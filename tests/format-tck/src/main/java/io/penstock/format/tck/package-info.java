/** What every message format must pass. A format's tests subclass {@link io.penstock.format.tck.MessageFormatTck}. */
@NullMarked
package io.penstock.format.tck;

import org.jspecify.annotations.NullMarked;
