package io.penstock.broker.agent;

import io.penstock.broker.event.EventLog;
import io.penstock.broker.monitor.Administrator;
import io.penstock.broker.monitor.ClientInfo;
import io.penstock.broker.monitor.ClientTrace;
import io.penstock.broker.monitor.ColumnInfo;
import io.penstock.broker.monitor.Monitor;
import io.penstock.broker.monitor.MonitorRequest;
import io.penstock.broker.monitor.Part;
import io.penstock.broker.monitor.Place;
import io.penstock.broker.monitor.QueryInfo;
import io.penstock.broker.monitor.ShardInfo;
import io.penstock.broker.monitor.SubscriptionInfo;
import io.penstock.broker.monitor.TopicDetails;
import io.penstock.broker.monitor.TransportInfo;
import io.penstock.broker.security.Identity;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.audit.AdministrationReport;
import io.penstock.broker.security.audit.AuditClient;
import io.penstock.broker.security.audit.AuditKind;
import io.penstock.broker.security.audit.AuditTrail;
import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.Shard;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.Topic;
import io.penstock.format.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;

/** Passes questions of those who watch the broker to its agents. Any thread. */
final class EngineMonitor implements Monitor {
    private final IoAgents ioAgents;
    private final List<Sequencer> sequencers;
    private final ColumnKeepers columns;
    private final EventLog events;
    private final AuditTrail audit;
    private final ErrorHandler errorHandler;

    EngineMonitor(
            final IoAgents ioAgents,
            final List<Sequencer> sequencers,
            final ColumnKeepers columns,
            final EventLog events,
            final AuditTrail audit,
            final ErrorHandler errorHandler) {
        this.errorHandler = errorHandler;
        this.ioAgents = ioAgents;
        this.sequencers = List.copyOf(sequencers);
        this.columns = columns;
        this.events = events;
        this.audit = audit;
    }

    @Override
    public CompletableFuture<Part<ClientInfo>> clients(final Place from, final int limit) {
        return part(from, limit, answer -> new MonitorRequest.Clients(from, limit, answer));
    }

    @Override
    public CompletableFuture<Part<SubscriptionInfo>> subscriptions(final Place from, final int limit) {
        return part(from, limit, answer -> new MonitorRequest.Subscriptions(from, limit, answer));
    }

    @Override
    public CompletableFuture<Part<QueryInfo>> queries(final Place from, final int limit) {
        return part(from, limit, answer -> new MonitorRequest.Queries(from, limit, answer));
    }

    private <T> CompletableFuture<Part<T>> part(
            final Place from, final int limit, final Function<CompletableFuture<Part<T>>, MonitorRequest> request) {
        if (limit < 1 || limit > PART_LIMIT_MAX) {
            throw new IllegalArgumentException(
                    "monitor.limit: out of range: " + limit + " (use 1 to " + PART_LIMIT_MAX + ")");
        }
        if (from.isEnd() || from.ioAgent() >= ioAgentCount()) {
            return CompletableFuture.completedFuture(new Part<>(List.of(), Place.END));
        }
        final CompletableFuture<Part<T>> answer = new CompletableFuture<>();
        offer(from.ioAgent(), request.apply(answer));
        final int following = from.ioAgent() + 1;
        return answer.thenApply(part -> part.next().isEnd() && following < ioAgentCount()
                ? new Part<>(part.items(), new Place(following, 0, 0))
                : part);
    }

    @Override
    public CompletableFuture<List<TransportInfo>> transports(final int ioAgent) {
        final CompletableFuture<List<TransportInfo>> answer = new CompletableFuture<>();
        offer(ioAgent, new MonitorRequest.Transports(answer));
        return answer;
    }

    @Override
    public CompletableFuture<Boolean> kick(final long clientId, final Administrator by) {
        final CompletableFuture<Boolean> answer = new CompletableFuture<>();
        return command(
                IoAgents.indexOf(clientId),
                new MonitorRequest.Kick(clientId, report(by, "disconnect client " + clientId), answer),
                answer);
    }

    @Override
    public CompletableFuture<Boolean> trace(final long clientId, final ClientTrace trace, final Administrator by) {
        final CompletableFuture<Boolean> answer = new CompletableFuture<>();
        return command(
                IoAgents.indexOf(clientId),
                new MonitorRequest.Trace(clientId, trace, report(by, "trace client " + clientId), answer),
                answer);
    }

    @Override
    public CompletableFuture<Boolean> cancel(final long clientId, final long commandId, final Administrator by) {
        final CompletableFuture<Boolean> answer = new CompletableFuture<>();
        return command(
                IoAgents.indexOf(clientId),
                new MonitorRequest.Cancel(
                        clientId, commandId, report(by, "cancel query " + clientId + "." + commandId), answer),
                answer);
    }

    @Override
    public CompletableFuture<Boolean> enable(
            final int ioAgent, final String scheme, final boolean enabled, final Administrator by) {
        final CompletableFuture<Boolean> answer = new CompletableFuture<>();
        return command(
                ioAgent,
                new MonitorRequest.Enable(
                        scheme,
                        enabled,
                        report(by, (enabled ? "enable" : "disable") + " transport io-" + ioAgent + ":" + scheme),
                        answer),
                answer);
    }

    private CompletableFuture<Boolean> command(
            final int ioAgent, final MonitorRequest request, final CompletableFuture<Boolean> answer) {
        if (ioAgent < 0 || ioAgent >= ioAgentCount()) {
            answer.complete(false);
        } else {
            offer(ioAgent, request);
        }
        return answer;
    }

    private void offer(final int ioAgent, final MonitorRequest request) {
        if (!ioAgents.offer(ioAgent, request)) {
            request.answer()
                    .completeExceptionally(new IllegalStateException(
                            "monitor: I/O agent " + ioAgent + " has too much to do (ask again later)"));
        }
    }

    private AdministrationReport report(final Administrator by, final String what) {
        return new AdministrationReport(events, audit, client(by), what);
    }

    private static AuditClient client(final Administrator by) {
        final Principal principal = by.user().isEmpty() ? Principal.ANONYMOUS : new Principal(by.user());
        final String identity = Identity.of(principal, by.peer(), by.isLocal());
        return new AuditClient(identity, by.user(), by.client(), by.peer());
    }

    @Override
    public void onRefused(final Administrator by, final String what) {
        report(by, what).onRefused();
    }

    @Override
    public void onForbidden(final Administrator by, final String what) {
        audit.record(AuditKind.REFUSED, client(by), true, 0, "", what);
        onRefused(by, what);
    }

    @Override
    public void onDone(final Administrator by, final String what) {
        report(by, what).onDone();
    }

    @Override
    public void onError(final Throwable error) {
        errorHandler.onError(error);
    }

    @Override
    public int ioAgentCount() {
        return ioAgents.all().size();
    }

    @Override
    public List<TopicDetails> topics() {
        final List<TopicDetails> all = new ArrayList<>();
        for (final Sequencer sequencer : sequencers) {
            final Shard shard = sequencer.shard();
            for (final Topic topic : shard.topics().snapshot()) {
                final StateStore store = topic.state() == null ? null : shard.stateOf(topic.name());
                all.add(new TopicDetails(
                        topic,
                        sequencer.isJournaled(),
                        shard.topics().messageCount(topic.id()),
                        store == null ? -1 : store.liveCount(),
                        store == null ? -1 : store.keyLength() + store.messageLength()));
            }
        }
        return all;
    }

    @Override
    public List<ColumnInfo> columns(final String topic) {
        return columns.list(topic);
    }

    @Override
    public int dropColumns(final String topic, final @Nullable FieldPath field, final Administrator by) {
        final int count = columns.drop(topic, field);
        if (count > 0) {
            report(by, "drop columns of " + topic + (field == null ? "" : ": " + field))
                    .onDone();
        }
        return count;
    }

    @Override
    public List<ShardInfo> shards() {
        return sequencers.stream().map(EngineMonitor::info).toList();
    }

    private static ShardInfo info(final Sequencer sequencer) {
        final Shard shard = sequencer.shard();
        final ShardCounters counters = shard.counters();
        return new ShardInfo(
                shard.number(),
                sequencer.isJournaled(),
                (long) shard.window().segmentLength() * shard.window().segmentCount(),
                counters.lastSequence().get(),
                counters.published().get(),
                new ShardInfo.Journal(
                        counters.writtenSequence().get(),
                        counters.durableSequence().get(),
                        counters.durablePosition().get(),
                        counters.journalStatus().get(),
                        counters.journalSyncs().get(),
                        counters.journalBytes().get(),
                        counters.snapshotSequence().get(),
                        counters.snapshotLength().get()),
                sequencer.logFiles());
    }
}
