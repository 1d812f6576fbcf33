/**
 * What queries collect of the columns of a block of rows instead of reading the rows: groups, and the best of an order; and
 * the memory that they may take for what they collect.
 * Confined to the query agent that made it.
 */
@NullMarked
package io.penstock.broker.query.collect;

import org.jspecify.annotations.NullMarked;
