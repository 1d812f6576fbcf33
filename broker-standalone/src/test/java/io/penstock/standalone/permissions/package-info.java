@NullMarked
package io.penstock.standalone.permissions;

import org.jspecify.annotations.NullMarked;
