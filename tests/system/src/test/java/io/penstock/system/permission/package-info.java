/** What users may do, asked over every transport, against a model that only reads rules. */
@NullMarked
package io.penstock.system.permission;

import org.jspecify.annotations.NullMarked;
