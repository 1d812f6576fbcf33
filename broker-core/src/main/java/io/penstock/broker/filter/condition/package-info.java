/** Conditions in normal form: what a matcher can see of a filter, and what its program is made from. */
@NullMarked
package io.penstock.broker.filter.condition;

import org.jspecify.annotations.NullMarked;
