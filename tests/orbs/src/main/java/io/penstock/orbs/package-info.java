/** The bridge's contract, served by GlassFish's ORB on top of the same service: what our own server is tried beside. */
@NullMarked
package io.penstock.orbs;

import org.jspecify.annotations.NullMarked;
