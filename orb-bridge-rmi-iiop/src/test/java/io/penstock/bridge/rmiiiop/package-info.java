/** Tests of the front end for RMI-IIOP. */
@NullMarked
package io.penstock.bridge.rmiiiop;

import org.jspecify.annotations.NullMarked;
