package io.penstock.broker.security;

import io.penstock.broker.filter.CombinedFilter;
import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSelection;
import io.penstock.format.FieldSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a subscription to a pattern, with what its client is entitled to of each topic. All conditions of the
 * client's rules are compiled when it is made, by an I/O agent; for a topic they are only put together. Owned by the agent
 * that gets it.
 */
final class EntitledFilter implements Filter {
    /** Filters that are kept: more are put together each time. */
    private static final int FILTER_COUNT_MAX = 256;

    private final Entitlement entitlement;
    private final @Nullable Filter own;
    private final Map<String, Filter> compiled = new HashMap<>();

    /** Those of topics, by the rules that are about them: many topics have one. */
    private final Map<List<BitSet>, Optional<Filter>> byRules = new HashMap<>();

    EntitledFilter(final Entitlement entitlement, final @Nullable Filter own) {
        this.entitlement = entitlement;
        this.own = own;
        for (final BoundRule rule : entitlement.rules()) {
            if (!rule.condition().isEmpty()) {
                final String text = rule.isAllow() ? rule.condition() : Entitlement.not(rule.condition());
                compiled.computeIfAbsent(text, each -> FilterCompiler.compile(each, FilterLimits.COMBINED));
            }
        }
    }

    @Override
    public @Nullable Filter forTopic(final String topic) {
        if (own != null && touches(entitlement.hidden(topic), own.ownFields())) {
            return null;
        }
        final List<BitSet> about = entitlement.rulesAbout(topic);
        final Optional<Filter> known = byRules.get(about);
        if (known != null) {
            return known.orElse(null);
        }
        final Filter made = combined(about);
        if (byRules.size() < FILTER_COUNT_MAX) {
            byRules.put(about, Optional.ofNullable(made));
        }
        return made;
    }

    private @Nullable Filter combined(final List<BitSet> about) {
        final List<Filter> all = new ArrayList<>();
        final StringBuilder text = new StringBuilder();
        if (own != null) {
            text.append(own.text());
        }
        for (final BitSet ofAction : about) {
            final Entitlement.Parts parts = entitlement.parts(ofAction);
            if (parts == null) {
                return null;
            }
            for (final String each : parts.all()) {
                all.add(part(each));
                text.append('\n').append(each);
            }
            if (!parts.any().isEmpty()) {
                text.append('\n').append(String.join("\n|", parts.any()));
                all.add(new CombinedFilter(
                        text.toString(),
                        List.of(),
                        parts.any().stream().map(this::part).toList()));
            }
        }
        if (own != null) {
            // Not evaluated for what may not be seen: how long that takes would tell something of it.
            all.add(own);
        }
        if (all.isEmpty()) {
            return new CombinedFilter("", List.of(), List.of());
        }
        return all.size() == 1 ? all.get(0) : new CombinedFilter(text.toString(), all, List.of());
    }

    /** What the client asks for may not tell of what it does not see. */
    private static boolean touches(final FieldSelection hidden, final FieldSet asked) {
        return !hidden.paths().isEmpty() && hidden.firstTouched(asked) != null;
    }

    private Filter part(final String text) {
        return Objects.requireNonNull(compiled.get(text), text);
    }

    @Override
    public boolean matches(final FieldReader message) {
        throw new IllegalStateException("filter: of no topic (ask for that of the message's topic)");
    }

    @Override
    public boolean matches(final FieldReader message, final int[] slots) {
        return matches(message);
    }

    @Override
    public FieldSet ownFields() {
        return new FieldSet();
    }

    @Override
    public FieldSet fields() {
        return ownFields();
    }

    @Override
    public String text() {
        return own == null ? "" : own.text();
    }

    @Override
    public Condition condition() {
        throw new IllegalStateException("filter: of no topic (ask for that of the message's topic)");
    }
}
