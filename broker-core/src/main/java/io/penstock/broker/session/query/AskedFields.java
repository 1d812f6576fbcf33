package io.penstock.broker.session.query;

import io.penstock.broker.security.TopicRights;
import io.penstock.format.FieldSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The fields that the answer of a query depends on, which are worked out once for all of its topics, and only when something
 * of one is hidden. Confined to one I/O agent.
 */
final class AskedFields {
    private final Supplier<FieldSet> query;
    private @Nullable FieldSet fields;

    /**
     * Nothing is worked out yet.
     *
     * @param query gives its fields.
     */
    AskedFields(final Supplier<FieldSet> query) {
        this.query = query;
    }

    /** Whether the answer would depend on what is hidden from the client, so that it gets nothing of the topic. */
    boolean tellOfHidden(final TopicRights rights) {
        if (rights.hidden().paths().isEmpty()) {
            return false;
        }
        FieldSet known = fields;
        if (known == null) {
            known = query.get();
            fields = known;
        }
        return rights.hidden().firstTouched(known) != null;
    }
}
