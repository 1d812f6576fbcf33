package io.penstock.standalone.message;

import io.penstock.client.Message;
import io.penstock.client.NoReplyException;
import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import io.penstock.format.header.HeaderType;
import io.penstock.format.header.Headers;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.input.StandardInput;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Publishes a request and prints the reply. */
@Command(
        name = "request",
        mixinStandardHelpOptions = true,
        description = {
            "Publishes a message, waits for a reply to it for --timeout seconds, and prints it. It fails when the"
                    + " reply has a header 'error', as penstock reply sends it.",
            "It fails at once when nobody subscribes to the topic."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock request price '{\"symbol\":\"A\"}'",
            "  penstock request price -H user=ann < question.json # a message of any length",
            "  penstock reply price --text '{\"price\":10.5}'       # what answers, in another terminal"
        })
public final class RequestCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Mixin
    private RowOptions rows;

    @Mixin
    private HeaderOptions headers;

    @Parameters(index = "0", paramLabel = "TOPIC", description = "Topic that somebody answers on.")
    private String topic;

    @Parameters(
            index = "1",
            paramLabel = "MESSAGE",
            arity = "0..1",
            description = "The request (default: all of standard input).")
    private @Nullable String message;

    @Option(names = "--headers", description = "Put the headers of the reply before it, with a tab.")
    private boolean hasHeaders;

    @Override
    public Integer call() throws InterruptedException {
        TopicNames.check(topic);
        final Publication request = Publication.to(topic).headers(headers.headers());
        if (message == null) {
            request.bytes(readInput());
        } else {
            request.text(message);
        }
        try (PenstockClient client = broker.connect();
                MessageOutput lines = open()) {
            final Message reply = client.request(request, broker.timeout()).get();
            return print(reply, lines);
        } catch (final ExecutionException e) {
            final Throwable cause = e.getCause();
            throw CommandFailure.failed(
                    cause instanceof NoReplyException
                            ? "no reply from " + topic + " within "
                                    + broker.timeout().toSeconds()
                                    + " s (see whether what answers there is well, or raise --timeout)"
                            : String.valueOf(cause == null ? e.getMessage() : cause.getMessage()));
        }
    }

    /** A reply with an error may have no more than that. */
    private int print(final Message reply, final MessageOutput lines) {
        final String error = error(reply.headers());
        if (error == null || hasHeaders || rows.isGiven() || reply.bytes().length > 0) {
            lines.write(reply);
        }
        if (error == null) {
            return Main.EXIT_OK;
        }
        lines.flush();
        throw CommandFailure.failed(topic + ": the reply has an error: " + error + " (see what answers there)");
    }

    /** Null when there is none. */
    private static @Nullable String error(final Headers headers) {
        return headers.type(ReplyCommand.ERROR) == HeaderType.TEXT ? headers.text(ReplyCommand.ERROR) : null;
    }

    private MessageOutput open() {
        rows.checkLines();
        final MessageColumns columns = new MessageColumns(
                rows.isTemplate(), rows.isTemplate(), rows.isTemplate(), hasHeaders || rows.isTemplate());
        return rows.isGiven()
                ? new MessageRows(
                        rows.open(
                                spec.commandLine().getOut(), spec.commandLine().getErr()),
                        rows.isJson(),
                        columns)
                : new MessageLines(columns);
    }

    private byte[] readInput() {
        final int lengthMax = broker.config().build().messageLengthMax();
        return StandardInput.readMessage(StandardInput.open(), lengthMax);
    }
}
