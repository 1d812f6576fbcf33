/**
 * The commands that talk to a running broker as any client does.
 *
 * <p>Each runs on the main thread and owns the client that it makes.
 */
@NullMarked
package io.penstock.standalone.message;

import org.jspecify.annotations.NullMarked;
