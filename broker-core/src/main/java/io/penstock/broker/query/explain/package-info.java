/** What a query has done, for those who ask: reports of its workers, and the text made of them. */
@NullMarked
package io.penstock.broker.query.explain;

import org.jspecify.annotations.NullMarked;
