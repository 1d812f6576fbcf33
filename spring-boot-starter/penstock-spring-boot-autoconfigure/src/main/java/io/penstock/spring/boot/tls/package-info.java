/** Spring Boot's SSL bundles as what clients and the embedded broker have and trust. */
@NullMarked
package io.penstock.spring.boot.tls;

import org.jspecify.annotations.NullMarked;
