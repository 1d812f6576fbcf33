/** The runnable jar as users run it: a process of its own, with arguments, streams and an exit code. */
@NullMarked
package io.penstock.system.cli;

import org.jspecify.annotations.NullMarked;
