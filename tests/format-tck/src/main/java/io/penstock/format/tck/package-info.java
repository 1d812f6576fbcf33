/**
 * What every message format must pass, in kits by subject. A format's tests subclass each for their {@link
 * io.penstock.format.tck.TestedFormat}.
 */
@NullMarked
package io.penstock.format.tck;

import org.jspecify.annotations.NullMarked;
