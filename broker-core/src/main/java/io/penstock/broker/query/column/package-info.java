/**
 * Columns: the values of some fields of a store's rows, a block of rows at a time, as filters compare them. Made and
 * brought up to date by the query agents that read them; one agent at a time has the columns of a block.
 */
@NullMarked
package io.penstock.broker.query.column;

import org.jspecify.annotations.NullMarked;
