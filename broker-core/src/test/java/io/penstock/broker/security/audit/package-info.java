@NullMarked
package io.penstock.broker.security.audit;

import org.jspecify.annotations.NullMarked;
