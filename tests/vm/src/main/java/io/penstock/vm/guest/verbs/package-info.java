/** What each provider of the interface over verbs has to do. Owned by the thread of each test. */
@NullMarked
package io.penstock.vm.guest.verbs;

import org.jspecify.annotations.NullMarked;
