package io.penstock.standalone.log;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.journal.LogScan;
import io.penstock.broker.journal.MergedLog;
import io.penstock.broker.shard.log.TopicRecord;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageFormats;
import io.penstock.format.RecordReader;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.ProgressLine;
import io.penstock.standalone.console.RowOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Finds messages in a log. */
@Command(
        name = "grep",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the messages and deletes of a log that satisfy a condition over their fields, as 'log cat' does.",
            "How many were found of how many stands on standard error."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock log grep /var/lib/penstock 'price > 100' --topic orders",
            "  penstock log grep /var/lib/penstock \"symbol = 'IBM'\" --from 2026-05-01T09:30:00Z --json"
        })
final class LogSearchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private LogDirectory directory;

    @Parameters(index = "1", paramLabel = "FILTER", description = "SQL-92 condition over the fields of the message.")
    private String condition;

    @Mixin
    private LogSelection selection;

    @Mixin
    private RowOptions rows;

    @Override
    public Integer call() {
        final FieldSet fields = new FieldSet();
        final Filter filter;
        try {
            filter = FilterCompiler.compile(condition, fields, FilterLimits.DEFAULTS);
        } catch (final FilterException e) {
            throw CommandFailure.badInput(String.valueOf(e.getMessage()));
        }
        final Map<String, FieldReader> readers = new HashMap<>();
        long lookedAt = 0;
        long found = 0;
        try (MergedLog log = new MergedLog(selection.shards(directory.shards()));
                RecordLines lines = RecordLines.of(spec, rows, RecordLines.LOG_COLUMNS);
                ProgressLine progress = ProgressLine.onErr()) {
            log.problems().forEach(problem -> StateSource.warn(spec, problem));
            for (LogScan scan = log.next(); scan != null; scan = log.next()) {
                final TopicRecord topic = LogSelection.topic(scan);
                if (!selection.has(scan) || topic == null || !isMessage(scan)) {
                    continue;
                }
                lookedAt++;
                final MessageFormat format = MessageFormats.find(topic.format());
                if (format != null) {
                    final FieldReader reader =
                            readers.computeIfAbsent(topic.format(), name -> RecordReader.of(format, fields));
                    final int messageLength = RecordDescriptor.messageLength(scan.buffer(), scan.offset());
                    final int messageAt = scan.offset() + HEADER_LENGTH;
                    reader.headers(
                            scan.buffer(),
                            messageAt + messageLength,
                            RecordDescriptor.headersLength(scan.buffer(), scan.offset()));
                    reader.wrap(scan.buffer(), messageAt, messageLength);
                    if (filter.matches(reader)) {
                        found++;
                        progress.clear();
                        lines.write(scan);
                    }
                }
                if (progress.isDue()) {
                    progress.draw(String.format("looked at %,d messages, found %,d", lookedAt, found));
                }
            }
        } catch (final IOException e) {
            throw LogDirectory.unreadable(e);
        }
        selection.checkTopics();
        final PrintWriter err = spec.commandLine().getErr();
        err.printf("found %,d of %,d messages%n", found, lookedAt);
        err.flush();
        return Main.EXIT_OK;
    }

    private static boolean isMessage(final LogScan scan) {
        final int type = RecordDescriptor.type(scan.buffer(), scan.offset());
        return type == RecordDescriptor.TYPE_MESSAGE || type == RecordDescriptor.TYPE_DELETE;
    }
}
