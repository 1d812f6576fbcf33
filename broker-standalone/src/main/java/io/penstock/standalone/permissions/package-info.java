/**
 * Looks into files of permissions.
 *
 * <p>Owned by the main thread.
 */
@NullMarked
package io.penstock.standalone.permissions;

import org.jspecify.annotations.NullMarked;
