/** What stands in commands as text, read, and why a command is refused. Knows nothing of sessions. */
@NullMarked
package io.penstock.broker.session.text;

import org.jspecify.annotations.NullMarked;
