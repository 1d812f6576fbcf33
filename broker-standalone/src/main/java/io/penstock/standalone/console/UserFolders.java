package io.penstock.standalone.console;

import java.nio.file.Path;
import java.util.Map;

/**
 * Folders of the user, by the XDG base directory specification: those that the environment names, else below the home folder.
 * That is what the environment says, too, as in a shell; else what Java knows. Paths that are not absolute are passed over.
 */
public final class UserFolders {
    private UserFolders() {}

    /**
     * Where settings are.
     *
     * @return {@code $XDG_CONFIG_HOME}, else {@code ~/.config}; need not be there.
     */
    public static Path config() {
        return folder(System.getenv(), "XDG_CONFIG_HOME", ".config");
    }

    /**
     * Where histories are.
     *
     * @return {@code $XDG_STATE_HOME}, else {@code ~/.local/state}; need not be there.
     */
    public static Path state() {
        return folder(System.getenv(), "XDG_STATE_HOME", ".local/state");
    }

    static Path folder(final Map<String, String> environment, final String variable, final String belowHome) {
        final String named = environment.getOrDefault(variable, "");
        if (Path.of(named).isAbsolute()) {
            return Path.of(named);
        }
        final String home = environment.getOrDefault("HOME", "");
        return Path.of(Path.of(home).isAbsolute() ? home : System.getProperty("user.home"))
                .resolve(belowHome);
    }
}
