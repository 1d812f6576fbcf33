/** Files that only their owner may use, and readable errors of the system about files. Any thread. */
@NullMarked
package io.penstock.file;

import org.jspecify.annotations.NullMarked;
