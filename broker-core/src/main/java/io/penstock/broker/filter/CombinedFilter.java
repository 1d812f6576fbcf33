package io.penstock.broker.filter;

import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.program.Workspace;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import java.util.ArrayList;
import java.util.List;

/**
 * A filter put together from filters that are compiled: true where all of some are true, and any of others. For agents
 * that may not compile texts. It has its own scratch space beside that of its parts, and is confined to one agent with
 * them.
 */
public final class CombinedFilter implements Filter {
    private final String text;
    private final Part[] all;
    private final Part[] any;
    private final FieldSet fields = new FieldSet();
    private final int[] ownSlots;

    /**
     * Combines filters.
     *
     * @param text of the whole, which no filter of another condition has; empty when it is of no filters, and true of every
     *             message.
     * @param all  that have to be true.
     * @param any  one of which has to be true; empty when none has to.
     */
    public CombinedFilter(final String text, final List<Filter> all, final List<Filter> any) {
        this.text = text;
        this.all = parts(all);
        this.any = parts(any);
        ownSlots = new int[fields.count()];
        for (int i = 0; i < ownSlots.length; i++) {
            ownSlots[i] = i;
        }
    }

    private Part[] parts(final List<Filter> filters) {
        return filters.stream()
                .map(each -> new Part(each, fields.slotsOf(each.ownFields())))
                .toArray(Part[]::new);
    }

    @Override
    public boolean matches(final FieldReader message) {
        return matches(message, ownSlots);
    }

    @Override
    public boolean matches(final FieldReader message, final int[] slots) {
        for (final Part part : all) {
            if (!part.matches(message, slots)) {
                return false;
            }
        }
        for (final Part part : any) {
            if (part.matches(message, slots)) {
                return true;
            }
        }
        return any.length == 0;
    }

    @Override
    public void join(final Workspace workspace) {
        for (final Part part : all) {
            part.filter.join(workspace);
        }
        for (final Part part : any) {
            part.filter.join(workspace);
        }
    }

    @Override
    public FieldSet ownFields() {
        return fields;
    }

    @Override
    public FieldSet fields() {
        return fields;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public Condition condition() {
        final List<Condition> conditions = new ArrayList<>();
        for (final Part part : all) {
            add(conditions, part.filter.condition());
        }
        if (any.length > 0) {
            final List<Condition> alternatives = new ArrayList<>();
            for (final Part part : any) {
                if (part.filter.condition() instanceof Condition.Any nested) {
                    alternatives.addAll(nested.operands());
                } else {
                    alternatives.add(part.filter.condition());
                }
            }
            add(conditions, alternatives.size() == 1 ? alternatives.get(0) : new Condition.Any(alternatives));
        }
        return conditions.size() == 1 ? conditions.get(0) : new Condition.All(conditions);
    }

    private static void add(final List<Condition> conditions, final Condition condition) {
        if (condition instanceof Condition.All nested) {
            conditions.addAll(nested.operands());
        } else {
            conditions.add(condition);
        }
    }

    /** One of the filters, with room for the slots in which it is read. */
    private static final class Part {
        private final Filter filter;
        private final int[] places;
        private final int[] slots;

        Part(final Filter filter, final int[] places) {
            this.filter = filter;
            this.places = places;
            slots = new int[places.length];
        }

        boolean matches(final FieldReader message, final int[] ofMessage) {
            for (int i = 0; i < places.length; i++) {
                slots[i] = ofMessage[places[i]];
            }
            return filter.matches(message, slots);
        }
    }
}
