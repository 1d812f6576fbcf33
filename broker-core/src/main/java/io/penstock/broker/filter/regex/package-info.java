/**
 * Regular expressions in time linear in the text: read into a tree, made an automaton, and run over bytes of UTF-8.
 *
 * <p>A matcher is confined to one thread; what it runs is immutable.
 */
@NullMarked
package io.penstock.broker.filter.regex;

import org.jspecify.annotations.NullMarked;
