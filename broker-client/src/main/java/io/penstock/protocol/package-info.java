/**
 * The native protocol: what is in a frame, for clients and brokers alike. The codecs of the sub-package are generated
 * from {@code src/main/sbe/penstock.xml}.
 *
 * <p>A codec is owned by the agent that made it.
 */
@NullMarked
package io.penstock.protocol;

import org.jspecify.annotations.NullMarked;
