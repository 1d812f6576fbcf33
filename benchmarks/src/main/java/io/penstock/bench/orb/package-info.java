/**
 * Measures calls of the bridge by RMI and by CORBA, beside the JDK's plain RMI and GlassFish's ORB with the same contract:
 * servers and callers in processes of their own, cell by cell, in turn. Two experiments change the length of buffers and the
 * number of connections.
 *
 * <p>Owned by the main thread of each process; callers are threads of their own.
 */
@NullMarked
package io.penstock.bench.orb;

import org.jspecify.annotations.NullMarked;
