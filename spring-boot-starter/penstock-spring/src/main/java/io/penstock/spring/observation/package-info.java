/** Observations of what is sent, received and processed, with the trace in the messages' headers. Safe on any thread. */
@NullMarked
package io.penstock.spring.observation;

import org.jspecify.annotations.NullMarked;
