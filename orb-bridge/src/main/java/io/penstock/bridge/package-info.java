/**
 * Lets RMI and CORBA clients publish, subscribe and query: start and stop of the bridge. It is a client of the
 * broker. No thread of its own.
 */
@NullMarked
package io.penstock.bridge;

import org.jspecify.annotations.NullMarked;
