package io.penstock.standalone.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
@EnabledOnOs(OS.LINUX)
class HangupTest {
    @Test
    void shouldTellWhenTheProcessWasStartedToIgnoreTheSignal() throws Exception {
        assertThat(said("trap '' HUP; exec \"$0\" \"$@\"")).contains("handled false");
        assertThat(said("exec \"$0\" \"$@\"")).contains("handled true");
    }

    private static String said(final String script) throws IOException, InterruptedException {
        final Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        script,
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath(),
                        HangupCheck.class.getName())
                .redirectErrorStream(true)
                .start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    /** What a launcher of tests has loaded by itself is not in the property. */
    private static String classPath() {
        final Stream<String> own = HangupCheck.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs()).map(URL::getPath)
                : Stream.empty();
        return Stream.concat(own, Stream.of(System.getProperty("java.class.path")))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
