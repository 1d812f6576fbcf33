/**
 * Headers: named values that travel with a message beside its payload, in a layout that frames, logs and state share.
 */
@NullMarked
package io.penstock.format.header;

import org.jspecify.annotations.NullMarked;
