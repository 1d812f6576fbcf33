package io.penstock.broker.session.text;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.OrderBy;
import io.penstock.broker.query.SelectList;
import io.penstock.broker.query.join.QueryJoin;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.Principal;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.format.FieldSelection;
import io.penstock.protocol.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the texts of commands, decoded by {@link WireText}, and refuses invalid ones. Confined to one I/O agent. */
public final class CommandTexts {
    private final AccessGate gate;

    /** Asks the gate for what clients name. */
    public CommandTexts(final AccessGate gate) {
        this.gate = gate;
    }

    /** Refuses bits that mean nothing in a set. */
    public static void checkBits(
            final String command, final String noun, final int bits, final int known, final String remedy) {
        final int unknown = bits & ~known;
        if (unknown != 0) {
            throw new Refusal(
                    ErrorCode.NOT_SUPPORTED,
                    command + ": unknown " + noun + ": 0x" + Integer.toHexString(unknown) + " (" + remedy + ")");
        }
    }

    /** A topic's name, or a pattern of names, with which a client may do something. */
    public TopicPattern topics(
            final Principal principal,
            final List<Action> actions,
            final String command,
            final String text,
            final boolean pattern) {
        checkText(pattern ? "topic pattern" : "topic", text, pattern ? ErrorCode.BAD_PATTERN : ErrorCode.BAD_TOPIC);
        final String wrong = pattern ? null : Topic.checkName(text);
        if (wrong != null) {
            throw new Refusal(ErrorCode.BAD_TOPIC, wrong);
        }
        for (final Action action : pattern ? List.of(Action.SUBSCRIBE_PATTERN) : actions) {
            if (!gate.allows(principal, action, text)) {
                throw notAllowed(principal, actions, command, text);
            }
        }
        if (!pattern) {
            if (gate.condition(principal, actions, text) == null) {
                // Else the client would get nothing, and not know why.
                throw notAllowed(principal, actions, command, text);
            }
            return TopicPattern.literal(text);
        }
        try {
            return TopicPattern.regex(text);
        } catch (final IllegalArgumentException e) {
            throw new Refusal(ErrorCode.BAD_PATTERN, String.valueOf(e.getMessage()));
        }
    }

    private Refusal notAllowed(
            final Principal principal, final List<Action> actions, final String command, final String text) {
        return new Refusal(
                ErrorCode.NOT_AUTHORIZED, command + " " + text + ": " + gate.whyNot(principal, actions, text));
    }

    /** A condition in canonical form. */
    public static String filter(final String text) {
        final Filter filter = compile(text);
        return filter == null ? "" : filter.text();
    }

    /** A condition on the rows of groups in canonical form. */
    public static String having(final String text) {
        final Filter filter = compile("having", text);
        return filter == null ? "" : filter.text();
    }

    /** The filter of a condition that a client has sent; null when everything matches. */
    public static @Nullable Filter compile(final String text) {
        return compile("filter", text);
    }

    private static @Nullable Filter compile(final String what, final String text) {
        if (text.isBlank()) {
            return null;
        }
        checkText(what, text, ErrorCode.BAD_FILTER);
        try {
            return FilterCompiler.compile(what, text, FilterLimits.DEFAULTS);
        } catch (final FilterException e) {
            throw new Refusal(ErrorCode.BAD_FILTER, String.valueOf(e.getMessage()));
        }
    }

    /** The filter of a condition in canonical form, for an agent to have as its own; null when everything matches. */
    public static @Nullable Filter compiled(final String canonicalText) {
        return canonicalText.isEmpty() ? null : FilterCompiler.compile(canonicalText, FilterLimits.COMBINED);
    }

    /** An order; null when there is none. */
    public static @Nullable OrderBy orderBy(final String text) {
        if (text.isBlank()) {
            return null;
        }
        checkText("order_by", text, ErrorCode.BAD_QUERY);
        try {
            return OrderBy.parse(text);
        } catch (final IllegalArgumentException e) {
            throw new Refusal(ErrorCode.BAD_QUERY, String.valueOf(e.getMessage()));
        }
    }

    /** Fields of messages; null for all of them. */
    public static @Nullable FieldSelection fields(final String what, final String text) {
        if (text.isBlank()) {
            return null;
        }
        checkText(what, text, ErrorCode.BAD_QUERY);
        try {
            return FieldSelection.parse(text);
        } catch (final IllegalArgumentException e) {
            throw new Refusal(ErrorCode.BAD_QUERY, what + ": " + e.getMessage());
        }
    }

    /** Columns of results; null for whole records. */
    public static @Nullable SelectList select(final String text, final String groupBy) {
        if (text.isBlank() && groupBy.isBlank()) {
            return null;
        }
        checkText("select", text, ErrorCode.BAD_QUERY);
        checkText("group_by", groupBy, ErrorCode.BAD_QUERY);
        try {
            return SelectList.parse(text, groupBy, FilterLimits.DEFAULTS);
        } catch (final FilterException e) {
            throw new Refusal(ErrorCode.BAD_QUERY, String.valueOf(e.getMessage()));
        }
    }

    /** A join of the topic that a query names with another one; null when there is none. */
    public static @Nullable QueryJoin join(final String text, final String left) {
        if (text.isBlank()) {
            return null;
        }
        checkText("join", text, ErrorCode.BAD_QUERY);
        try {
            return QueryJoin.parse(text, left, FilterLimits.DEFAULTS);
        } catch (final FilterException | IllegalArgumentException e) {
            throw new Refusal(ErrorCode.BAD_QUERY, String.valueOf(e.getMessage()));
        }
    }

    private static void checkText(final String what, final String text, final ErrorCode code) {
        final int bad = WireText.indexOfBad(text);
        if (bad >= 0) {
            throw new Refusal(code, what + ": not UTF-8 text at " + bad + " (encode it as UTF-8)");
        }
    }
}
