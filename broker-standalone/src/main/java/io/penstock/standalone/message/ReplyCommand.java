package io.penstock.standalone.message;

import io.penstock.client.Message;
import io.penstock.client.MessageStream;
import io.penstock.client.PenstockClient;
import io.penstock.client.PublishOptions;
import io.penstock.client.SubscribeRequest;
import io.penstock.format.header.Headers;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.ControlCharacters;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Answers requests. */
@Command(
        name = "reply",
        mixinStandardHelpOptions = true,
        description = {
            "Answers each request that is published to a topic: with a text, with the request's own payload, or"
                    + " with what a command prints, which gets the payload on its standard input.",
            "One request after the other. A command that fails, or takes longer than --timeout seconds, answers"
                    + " with what it has printed and a header 'error'. It ends after --count requests, or when it"
                    + " is interrupted."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock reply price --text '{\"price\":10.5}'  # the same for all",
            "  penstock reply echo --echo                    # for tests",
            "  penstock reply count -- wc -c                 # what a command prints",
            "  penstock reply price -f \"symbol = 'A'\" --echo # requests that match; others get no reply from here"
        })
public final class ReplyCommand implements Callable<Integer> {
    private static final Duration WAIT = Duration.ofMillis(250);

    /** The header of a reply that says what has failed. */
    static final String ERROR = "error";

    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Mixin
    private HeaderOptions headers;

    @Parameters(index = "0", paramLabel = "TOPIC", description = "Topic that requests are published to.")
    private String topic;

    @Parameters(index = "1..*", paramLabel = "COMMAND", description = "Command that answers, with its arguments.")
    private List<String> command = List.of();

    @Option(names = "--text", paramLabel = "TEXT", description = "Answer with this text.")
    private @Nullable String text;

    @Option(names = "--echo", description = "Answer with the payload of the request.")
    private boolean isEcho;

    @Option(
            names = {"-f", "--filter"},
            paramLabel = "CONDITION",
            defaultValue = "",
            description = "Answer only requests that match.")
    private String filter;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "N",
            defaultValue = "0",
            description = "End after so many requests.")
    private long count;

    @Override
    public Integer call() {
        TopicNames.check(topic);
        final int ways = (text == null ? 0 : 1) + (isEcho ? 1 : 0) + (command.isEmpty() ? 0 : 1);
        if (ways != 1) {
            throw CommandFailure.badInput("reply: " + (ways == 0 ? "nothing to answer with" : "several ways to answer")
                    + " (give --text, --echo or a command)");
        }
        if (count < 0) {
            throw CommandFailure.badInput("--count: too small: " + count + " (use 0 for no limit, or more)");
        }
        final Headers given = headers.headers();
        try (PenstockClient client = broker.connect();
                MessageStream stream =
                        client.stream(SubscribeRequest.topic(topic).filter(filter))) {
            final PrintWriter err = spec.commandLine().getErr();
            err.println(ControlCharacters.onErr("answering on " + topic));
            err.flush();
            return answer(client, stream, given);
        }
    }

    private int answer(final PenstockClient client, final MessageStream stream, final Headers given) {
        long answered = 0;
        while (count == 0 || answered < count) {
            final boolean wasActive = stream.subscription().isActive();
            final Message request = stream.poll(WAIT);
            if (request == null && !wasActive) {
                throw CommandFailure.failed(topic + ": the subscription has ended (is the broker still there?)");
            }
            if (request != null && request.headers().has(Headers.REPLY_TO)) {
                answer(client, request, given);
                answered++;
            }
        }
        client.flush(broker.timeout());
        return Main.EXIT_OK;
    }

    private void answer(final PenstockClient client, final Message request, final Headers given) {
        final PublishOptions options = PublishOptions.NONE.headers(given);
        if (text != null) {
            client.reply(request.headers(), text, options);
        } else if (isEcho) {
            client.reply(request.headers(), request.bytes(), options);
        } else {
            final AnsweringProcess.Answer answer = AnsweringProcess.run(command, request.bytes(), broker.timeout());
            client.reply(
                    request.headers(),
                    answer.bytes(),
                    answer.error().isEmpty() ? options : options.header(ERROR, answer.error()));
        }
    }
}
