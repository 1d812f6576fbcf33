/** The rules of the code's shape, held by tests that read the compiled classes and the sources. */
@NullMarked
package io.penstock.system.architecture;

import org.jspecify.annotations.NullMarked;
