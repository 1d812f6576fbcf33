@NullMarked
package io.penstock.standalone.audit;

import org.jspecify.annotations.NullMarked;
