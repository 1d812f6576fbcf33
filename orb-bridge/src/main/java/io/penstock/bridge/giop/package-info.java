/**
 * GIOP 1.0 to 1.2 over IIOP: data in CDR, messages, fragments, references to objects, and a client that calls. It knows
 * nothing of what is called. No thread of its own; each object is owned by the thread of its connection.
 */
@NullMarked
package io.penstock.bridge.giop;

import org.jspecify.annotations.NullMarked;
