@NullMarked
package io.penstock.transport.file;

import org.jspecify.annotations.NullMarked;
