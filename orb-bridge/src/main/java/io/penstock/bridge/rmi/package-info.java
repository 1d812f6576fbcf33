/**
 * The bridge's front end for Java RMI, on the JDK's runtime with its own sockets and filter. Its threads are the
 * runtime's: one for each connection.
 */
@NullMarked
package io.penstock.bridge.rmi;

import org.jspecify.annotations.NullMarked;
