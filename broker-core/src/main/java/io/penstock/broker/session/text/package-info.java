/** Reads the texts in commands, and makes the reasons of refusals. Knows nothing of sessions. */
@NullMarked
package io.penstock.broker.session.text;

import org.jspecify.annotations.NullMarked;
