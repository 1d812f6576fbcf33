/**
 * Contexts: brokers that the user has given names, kept as files in the user's configuration folder.
 *
 * <p>Owned by the main thread.
 */
@NullMarked
package io.penstock.standalone.context;

import org.jspecify.annotations.NullMarked;
