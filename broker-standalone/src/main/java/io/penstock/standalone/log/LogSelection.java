package io.penstock.standalone.log;

import io.penstock.broker.journal.LogScan;
import io.penstock.broker.journal.ShardLog;
import io.penstock.broker.shard.log.TopicRecord;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.input.Moment;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which records of a log are meant. */
final class LogSelection {
    @Option(
            names = "--from",
            paramLabel = "PLACE",
            defaultValue = "",
            description = "From this sequence, or from this time on, such as 2026-05-01T09:30:00Z, -5m or 'yesterday"
                    + " 14:00' (default: the first).")
    private String from;

    @Option(
            names = "--to",
            paramLabel = "PLACE",
            defaultValue = "",
            description = "Up to this sequence, or up to this time (default: the last).")
    private String to;

    @Option(names = "--topic", paramLabel = "NAME", description = "Only records of this topic; repeatable.")
    private Set<String> topics = Set.of();

    @Option(names = "--shard", paramLabel = "N", defaultValue = "-1", description = "Only this shard (default: all).")
    private int shard;

    /** The topics of the log, when only some are meant. */
    private final Set<String> present = new TreeSet<>();

    private Place first = Place.START;
    private Place last = Place.END;

    /**
     * Keeps the logs that are meant.
     *
     * @param logs of a directory.
     * @return those of them that hold records which are meant.
     */
    List<ShardLog> shards(final List<ShardLog> logs) {
        first = from.isEmpty() ? Place.START : Place.parse("--from", from);
        last = to.isEmpty() ? Place.END : Place.parse("--to", to);
        if (shard < 0) {
            return logs;
        }
        final List<ShardLog> kept =
                logs.stream().filter(log -> log.shard() == shard).toList();
        if (kept.isEmpty()) {
            throw CommandFailure.badInput("--shard: not there: " + shard + " (there are "
                    + logs.stream().map(log -> String.valueOf(log.shard())).toList() + ")");
        }
        return kept;
    }

    /**
     * Whether a record is meant.
     *
     * @param scan at the record.
     */
    boolean has(final LogScan scan) {
        final boolean isInRange = first.isAtOrBefore(scan) && last.isAtOrAfter(scan);
        if (topics.isEmpty()) {
            return isInRange;
        }
        final TopicRecord topic = topic(scan);
        if (topic != null) {
            present.add(topic.name());
        }
        return isInRange && topic != null && topics.contains(topic.name());
    }

    /**
     * Looks at the end whether the log has had all topics that were asked for.
     *
     * @throws CommandFailure when it has not.
     */
    void checkTopics() {
        LogDirectory.checkTopics(topics, present);
    }

    /** The topic of a record, or null when it is of none, or the log has not named it. */
    static @Nullable TopicRecord topic(final LogScan scan) {
        return switch (RecordDescriptor.type(scan.buffer(), scan.offset())) {
            case RecordDescriptor.TYPE_MESSAGE, RecordDescriptor.TYPE_DELETE, RecordDescriptor.TYPE_TOPIC_DELETED ->
                scan.names().topic(RecordDescriptor.topicId(scan.buffer(), scan.offset()));
            case RecordDescriptor.TYPE_TOPIC -> TopicRecord.read(scan.buffer(), scan.offset());
            default -> null;
        };
    }

    /** A sequence or a time. */
    private record Place(long sequence, long timestampNs) {
        private static final Place START = new Place(0, Long.MIN_VALUE);
        private static final Place END = new Place(Long.MAX_VALUE, Long.MAX_VALUE);

        static Place parse(final String option, final String text) {
            try {
                if (text.matches("[0-9]+")) {
                    final long sequence = Long.parseLong(text);
                    return option.equals("--from")
                            ? new Place(sequence, Long.MIN_VALUE)
                            : new Place(sequence, Long.MAX_VALUE);
                }
                final Long ns = Moment.parseNs(text);
                if (ns != null) {
                    return option.equals("--from") ? new Place(0, ns) : new Place(Long.MAX_VALUE, ns);
                }
            } catch (final NumberFormatException e) {
                // Too large for a sequence.
            }
            throw CommandFailure.badInput(option + ": neither a sequence nor a time: " + text
                    + " (use for example 1000, " + Moment.EXAMPLES + ")");
        }

        boolean isAtOrBefore(final LogScan scan) {
            return sequence <= scan.sequence() && timestampNs <= scan.timestampNs();
        }

        boolean isAtOrAfter(final LogScan scan) {
            return sequence >= scan.sequence() && timestampNs >= scan.timestampNs();
        }
    }
}
