/** Shared memory between processes, beside what others make of it. */
@NullMarked
package io.penstock.jmh.ipc;

import org.jspecify.annotations.NullMarked;
