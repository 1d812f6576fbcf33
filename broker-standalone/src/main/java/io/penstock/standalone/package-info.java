/**
 * The command line: what {@code penstock} and {@code java -jar penstock.jar} run.
 *
 * <p>Each command runs on the main thread, apart from what it says itself.
 */
@NullMarked
package io.penstock.standalone;

import org.jspecify.annotations.NullMarked;
