package io.penstock.standalone.topic;

import io.penstock.standalone.Main;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code penstock topic}: one topic of a broker. */
@Command(
        name = "topic",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = {"Looks at a topic of a broker, or deletes it.", "All of them are listed by 'penstock topics'."},
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock topic info orders   # its format, shard, messages and records",
            "  penstock topic delete orders # the topic with its state"
        },
        subcommands = {TopicInfoCommand.class, TopicDeleteCommand.class})
public final class TopicCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Made by the command line. */
    public TopicCommand() {}

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Main.EXIT_USAGE;
    }
}
