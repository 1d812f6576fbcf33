/** Auto-configuration of templates, listeners and mirrors. Beans are made by the thread that starts the context. */
@NullMarked
package io.penstock.spring.boot.messaging;

import org.jspecify.annotations.NullMarked;
