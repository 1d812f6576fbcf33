package io.penstock.standalone.context;

import io.penstock.standalone.Main;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds a context. */
@Command(
        name = "add",
        mixinStandardHelpOptions = true,
        description = {
            "Adds a context, or replaces the one of that name.",
            "Of a password only the file is noted where it stands. Nothing is asked of the broker."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock context add local --broker tcp://127.0.0.1:9100",
            "  penstock context add prod --broker tcp://a:9100 --server tcp://b:9100 --user ann --password-file"
                    + " ~/.prod",
        })
final class ContextAddCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Of the context: letters, digits, dots, - and _.")
    private String name;

    @Option(
            names = {"-b", "--broker"},
            paramLabel = "URI",
            required = true,
            description = "The broker's endpoint.")
    private String broker;

    @Option(
            names = "--server",
            paramLabel = "URI",
            description = "Another broker to go to when one cannot be reached; repeatable.")
    private List<String> servers = List.of();

    @Option(names = "--user", paramLabel = "USER", defaultValue = "", description = "User to log on as.")
    private String user;

    @Option(names = "--password-file", paramLabel = "FILE", description = "File whose first line is the password.")
    private @Nullable Path passwordFile;

    @Option(names = "--name", paramLabel = "NAME", defaultValue = "", description = "Name of the client.")
    private String clientName;

    @Mixin
    private TlsOptions tls;

    @Override
    public Integer call() {
        final String file = passwordFile == null
                ? ""
                : passwordFile.toAbsolutePath().normalize().toString();
        ContextStore.ofUser().write(new BrokerContext(name, broker, servers, user, file, clientName, tls.files()));
        return Main.EXIT_OK;
    }
}
