/** Tests of applications against a broker in their own process. Used by the thread of a test. */
@NullMarked
package io.penstock.spring.boot.test;

import org.jspecify.annotations.NullMarked;
