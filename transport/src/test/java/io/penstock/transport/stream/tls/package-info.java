@NullMarked
package io.penstock.transport.stream.tls;

import org.jspecify.annotations.NullMarked;
