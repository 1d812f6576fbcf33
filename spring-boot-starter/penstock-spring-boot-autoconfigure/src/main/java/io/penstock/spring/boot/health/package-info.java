/** Health of the connection and of an embedded broker, for the names of Boot 3.5 and for those of Boot 4. Asked by any thread. */
@NullMarked
package io.penstock.spring.boot.health;

import org.jspecify.annotations.NullMarked;
