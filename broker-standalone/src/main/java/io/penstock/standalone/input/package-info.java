/**
 * What users write on the command line, read in one way by all commands: times, rates, templates.
 *
 * <p>Owned by the main thread.
 */
@NullMarked
package io.penstock.standalone.input;

import org.jspecify.annotations.NullMarked;
