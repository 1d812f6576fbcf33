package io.penstock.standalone.message;

import io.penstock.format.header.Headers;
import io.penstock.format.header.HeadersBuilder;
import io.penstock.standalone.CommandFailure;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** Headers of messages that a command publishes. */
final class HeaderOptions {
    @Option(
            names = {"-H", "--header"},
            paramLabel = "NAME=VALUE",
            description = "Header of the messages, a text; repeatable. Filters read it as HEADER('NAME').")
    private List<String> headers = List.of();

    /** The headers that were given. */
    Headers headers() {
        final HeadersBuilder builder = Headers.builder();
        final Set<String> names = new HashSet<>();
        try {
            for (final String each : headers) {
                final int end = each.indexOf('=');
                if (end < 0) {
                    throw CommandFailure.badInput("--header: has no value: " + each + " (give NAME=VALUE)");
                }
                if (!names.add(each.substring(0, end))) {
                    throw CommandFailure.badInput("--header: given twice: " + each.substring(0, end)
                            + " (a message has one value of a name; leave one out)");
                }
                builder.put(each.substring(0, end), each.substring(end + 1));
            }
            return builder.build();
        } catch (final IllegalArgumentException e) {
            throw CommandFailure.badInput("--" + e.getMessage());
        }
    }
}
