/**
 * Copies of a broker's directory, made while it is used or not, and what is made of them again.
 *
 * <p>Owned by the thread of the tool that copies; nothing of a broker that runs is touched but by names of files.
 */
@NullMarked
package io.penstock.broker.journal.backup;

import org.jspecify.annotations.NullMarked;
