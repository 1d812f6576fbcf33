/**
 * Everything that RMI clients of the broker need on their class path: the remote interfaces, plain values, and the
 * exception. Java 8, so without annotations for null: nothing here is null, except where a comment says so. No thread
 * of its own.
 */
package io.penstock.orb;
