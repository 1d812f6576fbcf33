/** CORBA and RMI-IIOP clients that are not ours, each in a process of its own. */
@NullMarked
package io.penstock.orbs;

import org.jspecify.annotations.NullMarked;
