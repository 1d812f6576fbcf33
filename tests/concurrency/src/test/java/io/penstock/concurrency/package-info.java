/**
 * What readers on other threads may see of the state store and of the rings between agents, by jcstress: each test names
 * all outcomes that there may be. {@link io.penstock.concurrency.ConcurrencyTest} runs them.
 */
@NullMarked
package io.penstock.concurrency;

import org.jspecify.annotations.NullMarked;
