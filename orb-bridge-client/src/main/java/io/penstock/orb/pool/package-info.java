/**
 * A bounded pool of connections that all callers of a program share, below Java RMI. Java 8, so without annotations for
 * null. Its own thread looks after idle connections while there are any.
 */
package io.penstock.orb.pool;
