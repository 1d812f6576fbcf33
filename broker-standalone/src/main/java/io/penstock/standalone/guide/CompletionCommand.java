package io.penstock.standalone.guide;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Nearest;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what a shell needs to complete commands and options. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = {
            "Prints a script that lets a shell complete commands and options.",
            "Save it where the shell reads it at its start, and do so again after an update."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  mkdir -p ~/.local/share/bash-completion/completions",
            "  penstock completion bash > ~/.local/share/bash-completion/completions/penstock",
            "  penstock completion zsh >> ~/.zshrc",
            "  penstock completion fish > ~/.config/fish/completions/penstock.fish",
            "  source <(penstock completion bash) # for this shell only"
        })
public final class CompletionCommand implements Callable<Integer> {
    private static final String NAME = "penstock";
    private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private String shell;

    /** Made by the command line. */
    public CompletionCommand() {}

    @Override
    public Integer call() {
        if (!SHELLS.contains(shell)) {
            final List<String> near = Nearest.of(shell, SHELLS);
            throw CommandFailure.badInput("completion: not a shell that there is a script for: " + shell + " ("
                    + (near.isEmpty() ? "use " + String.join(", ", SHELLS) : "did you mean " + near.get(0) + "?")
                    + ")");
        }
        final PrintWriter out = spec.commandLine().getOut();
        out.print(script(Main.commandLine()));
        out.flush();
        return Main.EXIT_OK;
    }

    private String script(final CommandLine commands) {
        // That for bash is for zsh as well, by zsh's own bashcompinit.
        return shell.equals("fish") ? FishCompletion.of(NAME, commands) : AutoComplete.bash(NAME, commands);
    }
}
