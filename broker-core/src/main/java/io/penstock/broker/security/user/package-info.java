/**
 * Users of a file, and the mechanisms by which they prove who they are.
 *
 * <p>The table of users is immutable and is swapped whole; everything may be used by any thread, but for conversations,
 * which are confined to one at a time.
 */
@NullMarked
package io.penstock.broker.security.user;

import org.jspecify.annotations.NullMarked;
