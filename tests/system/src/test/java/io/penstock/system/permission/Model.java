package io.penstock.system.permission;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is in the topics of one run, and what has to become of a command by the rules. Names are those without the beginning. */
final class Model {
    private final RuleBook book;
    private final String prefix;
    private final Map<String, Contents> topics = new TreeMap<>();

    Model(final RuleBook book, final String prefix) {
        this.book = book;
        this.prefix = prefix;
        Scene.KEYED.forEach(name -> topics.put(name, new Contents(true)));
        topics.put(Scene.STATELESS, new Contents(false));
    }

    /** What a topic has, and had at the moment. */
    private static final class Contents {
        private final boolean isKeyed;
        private final Map<Integer, Sample> records = new TreeMap<>();
        private final Map<Integer, Sample> past = new TreeMap<>();
        private final List<Sample> log = new ArrayList<>();
        private long messages;

        Contents(final boolean isKeyed) {
            this.isKeyed = isKeyed;
        }
    }

    /** The moment that replays and queries of the past are about. */
    void mark() {
        for (final Contents each : topics.values()) {
            each.past.clear();
            each.past.putAll(each.records);
            each.log.clear();
        }
    }

    private Contents contents(final String topic) {
        return Objects.requireNonNull(topics.get(topic), topic);
    }

    void apply(final Change change) {
        final Contents contents = contents(change.topic());
        final Sample sample = change.sample();
        if (change.kind() == Change.Type.DELETE) {
            contents.records.remove(sample.id());
            return;
        }
        final Sample whole = whole(change);
        contents.messages++;
        contents.log.add(whole);
        if (contents.isKeyed) {
            contents.records.put(sample.id(), whole);
        }
    }

    /** What others get of a change: of a delta the record that it makes. */
    private Sample whole(final Change change) {
        final @Nullable Sample old =
                contents(change.topic()).records.get(change.sample().id());
        return change.kind() == Change.Type.DELTA && old != null ? old.changedBy(change.sample()) : change.sample();
    }

    /** All records, by topic and key. */
    List<String> records() {
        final List<String> all = new ArrayList<>();
        topics.forEach(
                (name, contents) -> contents.records.values().forEach(each -> all.add(name + " " + each.canonical())));
        return all;
    }

    List<String> names() {
        return List.copyOf(topics.keySet());
    }

    /** What has to become of a command, which has its effects here, too. */
    Outcome run(final Command command) {
        if (!book.mayConnect(command.user())) {
            command.changes().forEach(this::apply);
            return Outcome.refused(command.transport() == Transport.HTTP ? "NOT_LOGGED_ON" : "AUTHENTICATION_FAILED");
        }
        return switch (command.kind()) {
            case LOG_ON -> Outcome.DONE;
            case PUBLISH -> publish(command);
            case PUBLISH_DELTA -> publishDelta(command);
            case PUBLISH_TO_NEW_TOPIC -> publishToNew(command);
            case SUBSCRIBE -> live(command, isDenied(command, "subscribe"), List.of(command.topic()));
            case SUBSCRIBE_TO_PATTERN -> live(command, !book.mayGivePattern(command.user()), matching(command));
            case SOW_AND_SUBSCRIBE -> follow(command);
            case REPLAY -> replay(command, isDenied(command, "subscribe", "replay"), List.of(command.topic()));
            case REPLAY_OF_PATTERN -> replay(command, !book.mayGivePattern(command.user()), matching(command));
            case QUERY, QUERY_OF_KEYS, QUERY_OF_COUNT -> query(command, false);
            case QUERY_OF_PAST -> query(command, true);
            case QUERY_OF_PATTERN -> queryPattern(command);
            case DELETE_BY_FILTER, DELETE_BY_KEYS -> delete(command);
            case DECLARE -> isDenied(command, "create") ? notAuthorized() : declare(command);
            case LIST -> list(command);
            case STAT -> about("stat", command, Outcome.DONE);
            case RESET_PUBLISHER -> about("reset-publisher", command, Outcome.refused("NOT_FOUND"));
            case DELETE_TOPIC -> deleteTopic(command);
            case DELIVER -> isDenied(command.user(), "deliver", command.topic()) ? notAuthorized() : Outcome.DONE;
            case ADMIN_READ -> about("admin-read", command, Outcome.DONE);
            case ADMIN_WRITE -> about("admin-write", command, Outcome.refused("NOT_FOUND"));
        };
    }

    private static Outcome notAuthorized() {
        return Outcome.refused("NOT_AUTHORIZED");
    }

    private Outcome about(final String action, final Command command, final Outcome otherwise) {
        return book.isDenied(command.user(), action, "") ? notAuthorized() : otherwise;
    }

    private boolean isDenied(final User user, final String action, final String name) {
        return book.isDenied(user, action, name);
    }

    private boolean isDenied(final Command command, final String... actions) {
        return isDeniedOf(command, command.topic(), actions);
    }

    private boolean isDeniedOf(final Command command, final String topic, final String... actions) {
        for (final String action : actions) {
            if (isDenied(command.user(), action, prefix + topic)) {
                return true;
            }
        }
        return false;
    }

    private boolean isLimited(final Command command, final String... actions) {
        for (final String action : actions) {
            if (book.isLimited(command.user(), action, prefix + command.topic())) {
                return true;
            }
        }
        return false;
    }

    private boolean allows(final Command command, final String topic, final Sample sample, final String... actions) {
        for (final String action : actions) {
            if (!book.allows(command.user(), action, prefix + topic, sample)) {
                return false;
            }
        }
        return true;
    }

    private Set<String> hidden(final Command command, final String topic) {
        return book.hidden(command.user(), prefix + topic);
    }

    /** How a message of a topic is shown. */
    private String shown(final Command command, final String topic, final Sample sample) {
        return topic + " " + sample.without(hidden(command, topic)).canonical();
    }

    /** Whether nothing of a topic is shown: what is asked tells of hidden fields, or its key is one. */
    private boolean isHidden(final Command command, final String topic) {
        return isTold(command, topic) || isKeyHidden(command, topic);
    }

    private boolean isKeyHidden(final Command command, final String topic) {
        final Contents contents = topics.get(topic);
        return contents != null && contents.isKeyed && hidden(command, topic).contains("id");
    }

    private boolean isTold(final Command command, final String topic) {
        return command.filter() != null
                && !Collections.disjoint(command.filter().fields(), hidden(command, topic));
    }

    private static Outcome notEntitled() {
        return Outcome.refused("NOT_ENTITLED");
    }

    /** Whether a message is one that was asked for, and may be seen. */
    private boolean isSeen(final Command command, final String topic, final Sample sample, final String... actions) {
        return isAsked(command, sample) && allows(command, topic, sample, actions);
    }

    private static boolean isAsked(final Command command, final Sample sample) {
        return command.filter() == null || command.filter().of(sample, command.user()) == Truth.TRUE;
    }

    private List<String> matching(final Command command) {
        return topics.keySet().stream()
                .filter(name -> Pattern.matches(command.topic(), name))
                .toList();
    }

    private Outcome publish(final Command command) {
        if (isDenied(command, "publish")) {
            return notAuthorized();
        }
        if (!allows(command, command.topic(), command.sample(), "publish")) {
            return Outcome.refused("NOT_ENTITLED");
        }
        apply(new Change(Change.Type.PUT, command.topic(), command.sample()));
        return Outcome.DONE;
    }

    private Outcome publishDelta(final Command command) {
        if (isDenied(command, "publish", "delta")) {
            return notAuthorized();
        }
        if (isLimited(command, "publish", "delta")) {
            return Outcome.refused("NOT_ENTITLED");
        }
        apply(new Change(Change.Type.DELTA, command.topic(), command.sample()));
        return Outcome.DONE;
    }

    private Outcome publishToNew(final Command command) {
        if (isDenied(command, "publish") || (!topics.containsKey(command.topic()) && isDenied(command, "create"))) {
            return notAuthorized();
        }
        topics.putIfAbsent(command.topic(), new Contents(false));
        return publish(command);
    }

    private Outcome declare(final Command command) {
        topics.putIfAbsent(command.topic(), new Contents(true));
        return Outcome.DONE;
    }

    private Outcome deleteTopic(final Command command) {
        if (isDenied(command, "delete-topic")) {
            return notAuthorized();
        }
        return topics.remove(command.topic()) == null ? Outcome.refused("NOT_FOUND") : Outcome.DONE;
    }

    private Outcome live(final Command command, final boolean isRefused, final List<String> names) {
        final List<String> sent = new ArrayList<>();
        final boolean isHidden = command.kind() == Kind.SUBSCRIBE && isHidden(command, command.topic());
        change(command, change -> {
            final Sample whole = whole(change);
            if (names.contains(change.topic())
                    && !isHidden(command, change.topic())
                    && change.kind() != Change.Type.DELETE
                    && isSeen(command, change.topic(), whole, "subscribe")) {
                sent.add("MESSAGE " + shown(command, change.topic(), whole));
            }
        });
        return isRefused ? notAuthorized() : isHidden ? notEntitled() : Outcome.of(sent);
    }

    private void change(final Command command, final Consumer<Change> each) {
        for (final Change change : command.changes()) {
            each.accept(change);
            apply(change);
        }
    }

    /** A record that leaves is reported as it was to those who may not see all; to others as it is. */
    private Outcome follow(final Command command) {
        final String topic = command.topic();
        final boolean isRefused = isDenied(command, "subscribe", "query");
        final boolean isHidden = isHidden(command, topic);
        final boolean isStateless = !topics.containsKey(topic) || !contents(topic).isKeyed;
        final List<String> sent = new ArrayList<>();
        if (!isStateless) {
            contents(topic).records.values().stream()
                    .filter(each -> isSeen(command, topic, each, "subscribe", "query"))
                    .forEach(each -> sent.add("STATE " + shown(command, topic, each)));
        }
        final boolean isLimited = isLimited(command, "subscribe", "query");
        change(command, change -> {
            if (isStateless || !change.topic().equals(topic)) {
                return;
            }
            final @Nullable Sample old =
                    contents(topic).records.get(change.sample().id());
            final boolean isTold = command.isOof() && old != null && isSeen(command, topic, old, "subscribe", "query");
            if (change.kind() == Change.Type.DELETE) {
                if (isTold && old != null) {
                    sent.add("OOF_DELETED " + shown(command, topic, old));
                }
                return;
            }
            final Sample now = whole(change);
            if (isSeen(command, topic, now, "subscribe", "query")) {
                final boolean isKnown = old != null && isSeen(command, topic, old, "subscribe", "query");
                final @Nullable Sample told =
                        command.isDelta() && isKnown ? now.since(Objects.requireNonNull(old)) : now;
                if (told != null) {
                    sent.add("MESSAGE " + shown(command, topic, told));
                }
            } else if (isTold && old != null) {
                sent.add("OOF_MATCH " + shown(command, topic, isLimited ? old : now));
            }
        });
        if (isRefused) {
            return notAuthorized();
        }
        if (isHidden) {
            return notEntitled();
        }
        return isStateless ? Outcome.refused("NO_STATE") : Outcome.of(sent);
    }

    private Outcome replay(final Command command, final boolean isRefused, final List<String> names) {
        if (isRefused) {
            return notAuthorized();
        }
        if (command.kind() == Kind.REPLAY && isHidden(command, command.topic())) {
            return notEntitled();
        }
        final List<String> sent = new ArrayList<>();
        for (final String name : names) {
            if (topics.containsKey(name) && !isHidden(command, name)) {
                contents(name).log.stream()
                        .filter(each -> isSeen(command, name, each, "subscribe", "replay"))
                        .forEach(each -> sent.add("MESSAGE " + shown(command, name, each)));
            }
        }
        return Outcome.of(sent);
    }

    private Outcome query(final Command command, final boolean isPast) {
        final String[] actions = isPast ? new String[] {"query", "replay"} : new String[] {"query"};
        if (isDenied(command, actions)) {
            return notAuthorized();
        }
        if (isHidden(command, command.topic())) {
            return notEntitled();
        }
        final Contents contents = topics.get(command.topic());
        if (contents == null || !contents.isKeyed) {
            return Outcome.refused("NO_STATE");
        }
        final List<Sample> found = (isPast ? contents.past : contents.records)
                .values().stream()
                        .filter(each ->
                                command.keys().isEmpty() || command.keys().contains(each.id()))
                        .filter(each -> isSeen(command, command.topic(), each, actions))
                        .toList();
        if (command.kind() == Kind.QUERY_OF_COUNT) {
            return Outcome.count(found.size());
        }
        final List<String> items = new ArrayList<>();
        found.forEach(each -> items.add("STATE " + shown(command, command.topic(), each)));
        if (command.kind() == Kind.QUERY && !command.transport().isBridge()) {
            final long visible = contents.records.values().stream()
                    .filter(each -> allows(command, command.topic(), each, actions))
                    .count();
            items.add(found.size() + " of " + visible);
        }
        return Outcome.of(items);
    }

    private Outcome queryPattern(final Command command) {
        if (!book.mayGivePattern(command.user())) {
            return notAuthorized();
        }
        final List<String> sent = new ArrayList<>();
        boolean isAny = false;
        for (final String name : matching(command)) {
            // A topic whose key is hidden is as one that it may not read.
            if (contents(name).isKeyed && !isDeniedOf(command, name, "query") && !isKeyHidden(command, name)) {
                isAny = true;
                if (isTold(command, name)) {
                    continue;
                }
                contents(name).records.values().stream()
                        .filter(each -> isSeen(command, name, each, "query"))
                        .forEach(each -> sent.add("STATE " + shown(command, name, each)));
            }
        }
        return isAny ? Outcome.of(sent) : Outcome.refused("NO_STATE");
    }

    private Outcome delete(final Command command) {
        if (isDenied(command, "delete")) {
            return notAuthorized();
        }
        if (isTold(command, command.topic())) {
            return notEntitled();
        }
        final Contents contents = topics.get(command.topic());
        if (contents == null || !contents.isKeyed) {
            return Outcome.refused("NO_STATE");
        }
        final List<Integer> found = contents.records.entrySet().stream()
                .filter(each -> command.keys().isEmpty() || command.keys().contains(each.getKey()))
                .filter(each -> isSeen(command, command.topic(), each.getValue(), "delete"))
                .map(Map.Entry::getKey)
                .toList();
        found.forEach(contents.records::remove);
        return Outcome.count(found.size());
    }

    /** How many messages a topic had is for those alone who may see all of them. */
    private Outcome list(final Command command) {
        if (book.isDenied(command.user(), "list", "")) {
            return notAuthorized();
        }
        final List<String> listed = new ArrayList<>();
        topics.forEach((name, contents) -> {
            final String topic = prefix + name;
            boolean isVisible = false;
            boolean isWhole = false;
            for (final String action : List.of("subscribe", "query")) {
                if (!isDenied(command.user(), action, topic)) {
                    isVisible = true;
                    isWhole |= !book.isLimited(command.user(), action, topic);
                }
            }
            if (isVisible) {
                listed.add(name + " " + (isWhole ? contents.messages : 0));
            }
        });
        return Outcome.of(listed);
    }
}
