/** Conditions over the columns of a block of rows, yielding bitmaps. Confined to the query agent that made them. */
@NullMarked
package io.penstock.broker.query.scan;

import org.jspecify.annotations.NullMarked;
