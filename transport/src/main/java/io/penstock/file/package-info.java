/** Files that none but their owner may use, and what the system says of files in our words. Any thread. */
@NullMarked
package io.penstock.file;

import org.jspecify.annotations.NullMarked;
