package io.penstock.standalone.client;

import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists a broker's clients. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the clients of a broker: who they are, and how far behind.",
            "The lag is in records since the last one that the subscription furthest behind was sent; 0 when all are live."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock client list # by the admin server of this machine",
            "  penstock client list --admin https://10.0.0.7:9180 --tls-ca authority.pem # by another one"
        })
final class ClientListCommand implements Callable<Integer> {
    private static final List<String> COLUMNS =
            List.of("id", "name", "user", "peer", "subscriptions", "lag", "messagesIn", "messagesOut");

    @Spec
    private CommandSpec spec;

    @Mixin
    private AdminOptions admin;

    @Mixin
    private RowOptions rows;

    @Override
    public Integer call() {
        final List<Map<String, String>> clients = admin.list("/api/v1/clients");
        try (Rows out =
                rows.open(spec.commandLine().getOut(), spec.commandLine().getErr(), COLUMNS)) {
            for (final Map<String, String> client : clients) {
                out.add(new Json()
                        .field("id", client.getOrDefault("id", ""))
                        .field("name", client.getOrDefault("name", ""))
                        .field("user", client.getOrDefault("user", ""))
                        .field("peer", client.getOrDefault("peer", ""))
                        .field("subscriptions", number(client, "subscriptions"))
                        .field("lag", number(client, "lag"))
                        .field("messagesIn", number(client, "messagesIn"))
                        .field("messagesOut", number(client, "messagesOut"))
                        .end());
            }
        }
        return Main.EXIT_OK;
    }

    private static long number(final Map<String, String> client, final String name) {
        return Long.parseLong(client.getOrDefault(name, "0"));
    }
}
