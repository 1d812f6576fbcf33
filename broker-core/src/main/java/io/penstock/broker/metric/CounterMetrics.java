package io.penstock.broker.metric;

import static io.penstock.broker.metric.Metric.counter;
import static io.penstock.broker.metric.Metric.gauge;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which metric each counter of the broker is, by the kind of its owner and its name. */
final class CounterMetrics {
    private static final Map<String, Metric> ALL = new HashMap<>();

    static {
        put("broker.errors", counter("penstock_errors", "Errors thrown inside the broker."));
        put(
                "broker.authorizerFailures",
                counter(
                        "penstock_authorizer_failures",
                        "Times that an authorizer has failed, and what it was asked for was refused."));
        put(
                "broker.filtersTooLong",
                counter(
                        "penstock_permission_filters_too_long",
                        "Times that something was denied because the filters of the permissions are too long together."));
        put("broker.eventsSuppressed", counter("penstock_events_suppressed", "Events that were not written."));

        put("shard.messages", counter("penstock_shard_messages", "Messages applied."));
        put("shard.duplicates", counter("penstock_shard_duplicates", "Messages dropped, as they were applied before."));
        put(
                "shard.payloadBytes",
                counter("penstock_shard_payload", "Payload applied.").bytes());
        put(
                "shard.payloadBytesCopied",
                counter("penstock_shard_payload_copied", "Payload copied to the log.")
                        .bytes());
        put("shard.appendsRefused", counter("penstock_shard_appends_refused", "Appends without room in the window."));
        put("shard.matches", counter("penstock_shard_matches", "Records enqueued for subscriptions."));
        put("shard.turnsToCursor", counter("penstock_shard_turns_to_cursor", "Subscriptions that fell behind."));
        put("shard.turnsToLive", counter("penstock_shard_turns_to_live", "Subscriptions that caught up."));
        put("shard.subscriptions", gauge("penstock_shard_subscriptions", "Subscriptions of a shard."));
        put("shard.subscriptionsBehind", gauge("penstock_shard_subscriptions_behind", "Those that lag."));
        put("shard.stateRefused", counter("penstock_shard_state_refused", "Messages for which state has no memory."));
        put("shard.stateDeleted", counter("penstock_shard_state_deleted", "Records deleted by commands."));
        put("shard.stateExpired", counter("penstock_shard_state_expired", "Records that expired."));
        put("shard.windowCuts", counter("penstock_shard_window_cuts", "Messages that left views before their time."));
        put(
                "shard.windowLength",
                gauge("penstock_shard_window_messages", "Messages in the windows of views.")
                        .bytes());
        put("shard.columnsDropped", counter("penstock_shard_columns_dropped", "Columns that gave way to others."));
        put(
                "shard.columnLength",
                gauge("penstock_shard_columns", "Columns that queries have made.")
                        .bytes());
        put(
                "shard.publishedPosition",
                gauge("penstock_shard_published_position", "End of the log.").bytes());
        put("shard.lastSequence", gauge("penstock_shard_last_sequence", "Last record of the log."));
        put("shard.writtenSequence", gauge("penstock_shard_written_sequence", "Last record in files."));
        put("shard.durableSequence", gauge("penstock_shard_durable_sequence", "Last record on stable storage."));
        put(
                "shard.durablePosition",
                gauge("penstock_shard_durable_position", "End of what is durable.")
                        .bytes());
        put("shard.journalStatus", gauge("penstock_shard_journal_status", "0 takes records, 1 disk full, 2 failed."));
        put("shard.journalSyncs", counter("penstock_shard_journal_syncs", "Groups of records that were synced."));
        put(
                "shard.journalBytes",
                counter("penstock_shard_journal_written", "Written to the journal.")
                        .bytes());
        put("shard.snapshots", counter("penstock_shard_snapshots", "Snapshots of the state that were asked for."));
        put("shard.snapshotsFailed", counter("penstock_shard_snapshots_failed", "Snapshots that failed."));
        put("shard.snapshotSequence", gauge("penstock_shard_snapshot_sequence", "Last record of the last snapshot."));
        put(
                "shard.snapshotLength",
                gauge("penstock_shard_snapshot", "Length of the last snapshot.").bytes());
        put("shard.filesReleased", counter("penstock_shard_files_released", "Files that retention removed."));
        put("shard.indexesRebuilt", counter("penstock_shard_indexes_rebuilt", "Indexes that were damaged or missing."));
        put(
                "shard.demandedPosition",
                gauge("penstock_shard_demanded_position", "To be released by readers.")
                        .bytes());
        put(
                "shard.releasedPosition",
                gauge("penstock_shard_released_position", "Released by a reader.")
                        .bytes());
        put("shard.processed", counter("penstock_shard_processed", "Messages of an I/O agent processed."));

        put("io.connections", gauge("penstock_connections", "Connections that are open."));
        put("io.sessions", gauge("penstock_sessions", "Clients that are logged on."));
        put("io.subscriptions", gauge("penstock_subscriptions", "Subscriptions of clients."));
        put("io.messagesReceived", counter("penstock_messages_received", "Messages taken from clients."));
        put(
                "io.payloadBytesReceived",
                counter("penstock_payload_received", "Payload taken from clients.")
                        .bytes());
        put(
                "io.payloadBytesCopied",
                counter("penstock_payload_copied", "Payload copied to sequencers.")
                        .bytes());
        put("io.commandsRefused", counter("penstock_commands_refused", "Errors sent to clients."));
        put("io.fatalErrors", counter("penstock_fatal_errors", "Errors that ended a session."));
        put("io.readsRefused", counter("penstock_reads_refused", "Times a client was not read for lack of room."));
        put("io.messagesDelivered", counter("penstock_messages_delivered", "Records taken by connections."));
        put(
                "io.bytesDelivered",
                counter("penstock_delivered", "Records taken by connections.").bytes());
        put("io.deliveriesRefused", counter("penstock_deliveries_refused", "Times a connection took nothing."));
        put("io.fellBehind", counter("penstock_fell_behind", "Subscriptions whose next message was gone."));
        put("io.resyncs", counter("penstock_resyncs", "Subscriptions that were sent the state again."));
        put("io.disconnectedBehind", counter("penstock_disconnected_behind", "Clients too slow for what they took."));
        put("io.queries", counter("penstock_queries", "Queries that were started."));
        put("io.queryRows", counter("penstock_query_rows", "Rows that queries have looked at."));
        put("io.queryRowsRead", counter("penstock_query_rows_read", "Rows whose records were read for queries."));
        put("io.stagingLength", gauge("penstock_staging", "Staging memory.").bytes());
        put("io.stalledFrames", counter("penstock_stalled_frames", "Clients that stalled in a long message."));
        put(
                "io.bytesReceived",
                counter("penstock_transport_received", "Received by transports.")
                        .bytes());
        put(
                "io.bytesSent",
                counter("penstock_transport_sent", "Sent by transports.").bytes());
        put("io.receiveCalls", counter("penstock_transport_receive_calls", "Calls to receive."));
        put("io.sendCalls", counter("penstock_transport_send_calls", "Calls to send."));
        put(
                "io.transportBytesCopied",
                counter("penstock_transport_copied", "Copied by transports.").bytes());
        put(
                "io.sendLengthMax",
                gauge("penstock_transport_send_length_max", "Longest that one call sent.")
                        .bytes());
        put("io.fallbacks", counter("penstock_transport_fallbacks", "Connections that fell back to TCP."));
        put("io.connectionsRefused", counter("penstock_connections_refused", "Connections over the limit."));
        put("io.protocolErrors", counter("penstock_protocol_errors", "Peers that sent invalid data."));

        put(
                "io.quotasReached",
                counter(
                        "penstock_quotas_reached",
                        "Log-ons, subscriptions and queries refused because their identity uses as much as it may."));
        put(
                "io.readsOverRate",
                counter(
                        "penstock_reads_over_rate",
                        "Times that a client was not read because its identity has published faster than it may."));
        put("io.logonsRefused", counter("penstock_logons_refused", "Log-ons that were refused."));
        put("io.tlsHandshakes", counter("penstock_tls_handshakes", "Handshakes of TLS that were done."));
        put("io.tlsHandshakesFailed", counter("penstock_tls_handshakes_failed", "Handshakes of TLS that failed."));
        put(
                "broker.certificateDaysLeft",
                gauge("penstock_certificate_days_left", "Whole days that the certificate is valid for."));
        put("audit.auditEntries", counter("penstock_audit_entries", "Entries of the audit on stable storage."));
        put("audit.auditEntriesLost", counter("penstock_audit_entries_lost", "Entries that found no room."));
        put("audit.auditEntriesOmitted", counter("penstock_audit_entries_omitted", "Entries of too busy clients."));

        put("replayer.cursors", gauge("penstock_cursors", "Subscriptions that read the window."));
        put(
                "replayer.bytesRead",
                counter("penstock_cursors_read", "Read of the window.").bytes());
        put("file-replayer.fileCursors", gauge("penstock_file_cursors", "Subscriptions that read files."));
        put(
                "file-replayer.fileBytesRead",
                counter("penstock_file_cursors_read", "Read of files.").bytes());
        put("file-replayer.pagesRecalled", counter("penstock_pages_recalled", "Pages taken from slow clients."));
        put("historian.histories", counter("penstock_histories", "Past states made for queries."));

        put("sinks.blocksStored", counter("penstock_sink_blocks_stored", "Blocks merged into sinks."));
        put(
                "sinks.blockBytesStored",
                counter("penstock_sink_stored", "Blocks merged into sinks.").bytes());
        put("sinks.blocksRepeated", counter("penstock_sink_blocks_repeated", "Blocks that were there before."));
        put("sinks.blocksRefused", counter("penstock_sink_blocks_refused", "Blocks that were refused."));
        put(
                "sinks.blockMemoryUsed",
                gauge("penstock_sink_memory_used", "Memory of blocks in use.").bytes());
        put("sinks.sinkWriters", gauge("penstock_sink_writers", "Producers that are connected."));
        put("sinks.sinkCommits", counter("penstock_sink_commits", "Commits of blocks."));
    }

    /** The CPU that a thread is pinned to. */
    static final Metric CPU = gauge("penstock_thread_cpu", "CPU that a thread is pinned to.");

    /** Counters that have no name here yet. */
    static final Metric OTHER =
            new Metric("penstock_other", MetricType.UNKNOWN, "", "Counters of the broker under their own names.");

    private CounterMetrics() {}

    private static void put(final String counter, final Metric metric) {
        ALL.put(counter, metric);
    }

    static @Nullable Metric find(final String ownerKind, final String name) {
        return ALL.get(ownerKind + "." + name);
    }
}
