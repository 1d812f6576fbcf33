/** Certificates for tests, made while these run, so that none of them ever expires in the repository. */
@NullMarked
package io.penstock.test.tls;

import org.jspecify.annotations.NullMarked;
