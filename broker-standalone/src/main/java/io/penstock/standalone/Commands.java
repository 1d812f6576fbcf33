package io.penstock.standalone;

import io.penstock.standalone.audit.AuditCommand;
import io.penstock.standalone.backup.BackupCommand;
import io.penstock.standalone.backup.RestoreCommand;
import io.penstock.standalone.client.ClientCommand;
import io.penstock.standalone.cluster.ClusterCommand;
import io.penstock.standalone.columns.ColumnsCommand;
import io.penstock.standalone.conformance.ConformanceCommand;
import io.penstock.standalone.context.ContextCommand;
import io.penstock.standalone.demo.DemoCommand;
import io.penstock.standalone.guide.CompletionCommand;
import io.penstock.standalone.guide.ManCommand;
import io.penstock.standalone.log.LogCommand;
import io.penstock.standalone.log.StateCommand;
import io.penstock.standalone.message.DeleteCommand;
import io.penstock.standalone.message.PingCommand;
import io.penstock.standalone.message.PublishCommand;
import io.penstock.standalone.message.PutCommand;
import io.penstock.standalone.message.ReplayCommand;
import io.penstock.standalone.message.ReplyCommand;
import io.penstock.standalone.message.RequestCommand;
import io.penstock.standalone.message.ResetPublisherCommand;
import io.penstock.standalone.message.SowCommand;
import io.penstock.standalone.message.StatCommand;
import io.penstock.standalone.message.SubscribeCommand;
import io.penstock.standalone.permissions.PermissionsCommand;
import io.penstock.standalone.query.QueryCommand;
import io.penstock.standalone.serve.ServeCommand;
import io.penstock.standalone.sink.SinkCommand;
import io.penstock.standalone.top.TopCommand;
import io.penstock.standalone.topic.TopicCommand;
import io.penstock.standalone.topic.TopicsCommand;
import io.penstock.standalone.user.UserCommand;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The commands of this jar by their names. To read the options of all of them takes most of the time of a short command, so
 * that a command line with one of them has just that one.
 */
final class Commands {
    /** In the order in which help lists them. */
    static final List<String> NAMES = List.of(
            "demo",
            "serve",
            "publish",
            "put",
            "subscribe",
            "sow",
            "delete",
            "reset-publisher",
            "topics",
            "client",
            "columns",
            "cluster",
            "topic",
            "stat",
            "top",
            "query",
            "log",
            "state",
            "backup",
            "restore",
            "sink",
            "permissions",
            "audit",
            "replay",
            "request",
            "reply",
            "ping",
            "context",
            "user",
            "completion",
            "man",
            "conformance");

    /** Need no command. */
    private static final Set<String> VERSION = Set.of("-V", "--version");

    private Commands() {}

    /**
     * The names of the commands that a command line is about.
     *
     * @param args of the command line.
     * @return one, or all when it is not clear which one.
     */
    static List<String> named(final String... args) {
        final String first = args.length == 0 ? "" : args[0];
        final String meant = first.equals("help") && args.length > 1 ? args[1] : first;
        if (VERSION.contains(first)) {
            return List.of();
        }
        return find(meant) == null ? NAMES : List.of(meant);
    }

    /** The class of a command, or null when there is none of that name. Only that class is loaded. */
    static @Nullable Class<?> find(final String name) {
        return switch (name) {
            case "demo" -> DemoCommand.class;
            case "serve" -> ServeCommand.class;
            case "publish" -> PublishCommand.class;
            case "put" -> PutCommand.class;
            case "subscribe" -> SubscribeCommand.class;
            case "sow" -> SowCommand.class;
            case "delete" -> DeleteCommand.class;
            case "reset-publisher" -> ResetPublisherCommand.class;
            case "topic" -> TopicCommand.class;
            case "topics" -> TopicsCommand.class;
            case "client" -> ClientCommand.class;
            case "columns" -> ColumnsCommand.class;
            case "cluster" -> ClusterCommand.class;
            case "stat" -> StatCommand.class;
            case "top" -> TopCommand.class;
            case "query" -> QueryCommand.class;
            case "log" -> LogCommand.class;
            case "state" -> StateCommand.class;
            case "backup" -> BackupCommand.class;
            case "restore" -> RestoreCommand.class;
            case "sink" -> SinkCommand.class;
            case "permissions" -> PermissionsCommand.class;
            case "audit" -> AuditCommand.class;
            case "replay" -> ReplayCommand.class;
            case "request" -> RequestCommand.class;
            case "reply" -> ReplyCommand.class;
            case "ping" -> PingCommand.class;
            case "context" -> ContextCommand.class;
            case "user" -> UserCommand.class;
            case "completion" -> CompletionCommand.class;
            case "man" -> ManCommand.class;
            case "conformance" -> ConformanceCommand.class;
            case "warm-up" -> WarmUpCommand.class;
            default -> null;
        };
    }
}
