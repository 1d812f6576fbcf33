/**
 * Makes the C header, the JNI glue and the Java bindings of the native library from its list of signatures. Runs in the
 * build, on one thread; no part of what users get.
 */
package io.penstock.nativeaccess.generator;
