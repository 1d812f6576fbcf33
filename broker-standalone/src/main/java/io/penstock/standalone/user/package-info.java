/** Users of a broker, in a file that the broker reads. Confined to the thread of the command. */
@NullMarked
package io.penstock.standalone.user;

import org.jspecify.annotations.NullMarked;
