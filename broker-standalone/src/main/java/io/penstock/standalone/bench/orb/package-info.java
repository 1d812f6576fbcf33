/**
 * Measures calls by RMI of the bridge, beside the JDK's plain RMI with the same contract: servers and callers in processes
 * of their own, cell by cell, in turn.
 *
 * <p>Owned by the main thread of each process; callers are threads of their own.
 */
@NullMarked
package io.penstock.standalone.bench.orb;

import org.jspecify.annotations.NullMarked;
