@NullMarked
package io.penstock.file;

import org.jspecify.annotations.NullMarked;
