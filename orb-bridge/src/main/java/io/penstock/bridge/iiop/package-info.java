/**
 * The bridge's front end for CORBA, by GIOP over IIOP on Netty. Its threads are a few that read and write, and a bounded
 * pool for calls that wait for the broker.
 */
@NullMarked
package io.penstock.bridge.iiop;

import org.jspecify.annotations.NullMarked;
