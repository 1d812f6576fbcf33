@NullMarked
package io.penstock.broker.event;

import org.jspecify.annotations.NullMarked;
