/**
 * Which blocks of rows are looked at next: each block of a query once, by one of its workers, and by all queries of an
 * agent at about the same time. Claims are for any query agent, positions are confined to one.
 */
@NullMarked
package io.penstock.broker.query.block;

import org.jspecify.annotations.NullMarked;
