@NullMarked
package io.penstock.transport.tls;

import org.jspecify.annotations.NullMarked;
