/**
 * The front end for RMI-IIOP, on GlassFish's ORB, and a program that runs it beside a broker. The ORB's threads read what
 * clients send; all else is the bridge's service.
 */
@NullMarked
package io.penstock.bridge.rmiiiop;

import org.jspecify.annotations.NullMarked;
