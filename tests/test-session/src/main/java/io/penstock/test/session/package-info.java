/** What is done in each process with tests before the first of them: the JVM was started without flags. */
@NullMarked
package io.penstock.test.session;

import org.jspecify.annotations.NullMarked;
