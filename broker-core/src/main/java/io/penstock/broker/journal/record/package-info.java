/**
 * Records in files: how they are checked, and the record that ends a group that is written together.
 *
 * <p>Confined to the thread that writes or reads a file.
 */
@NullMarked
package io.penstock.broker.journal.record;

import org.jspecify.annotations.NullMarked;
