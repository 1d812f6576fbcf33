/**
 * Values of filters, how they compare, and tests of one value that were fixed when a filter was compiled.
 *
 * <p>Registers and tests are confined to the thread that owns their filter.
 */
@NullMarked
package io.penstock.broker.filter.value;

import org.jspecify.annotations.NullMarked;
