/**
 * What aggregates keep so that they are exact, whatever comes and goes in whichever order: sums of doubles, and the different
 * values of a field, and how published values are hashed. Confined to the agent of the groups.
 */
@NullMarked
package io.penstock.broker.query.exact;

import org.jspecify.annotations.NullMarked;
