/** DiSNI as its users know it, without our transport. Owned by the thread of each test. */
@NullMarked
package io.penstock.vm.guest.disni;

import org.jspecify.annotations.NullMarked;
