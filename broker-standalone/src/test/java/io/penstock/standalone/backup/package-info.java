/** Tests of backups as commands. */
@NullMarked
package io.penstock.standalone.backup;

import org.jspecify.annotations.NullMarked;
