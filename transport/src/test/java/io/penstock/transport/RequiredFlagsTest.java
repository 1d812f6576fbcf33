package io.penstock.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.nativeaccess.NativeLibrary;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class RequiredFlagsTest {
    @Test
    void shouldPassWhenTheFlagIsThere() {
        assertThatCode(RequiredFlags::check).doesNotThrowAnyException();
    }

    @Test
    void shouldNeedNoFlagWithTheNativeLibrary() throws Exception {
        assumeTrue(NativeLibrary.get().isAvailable());
        for (final String binding : List.of("auto", "jni")) {
            assertThat(outputOfJvm(Checks.class, "-Dpenstock.native=" + binding))
                    .contains("read 7")
                    .doesNotContain("Exception");
        }
    }

    @Test
    void shouldPrintTheFlagWhenItIsMissing() throws Exception {
        assertThat(outputOfJvm(Checks.class, "-Dpenstock.native=none"))
                .contains("IllegalStateException: java: started without a flag that Penstock needs: "
                        + RequiredFlags.ADD_EXPORTS + " (put it on the java command line")
                .contains("it would not be needed with the native library: not there: switched off")
                .doesNotContain("IllegalAccessError");
    }

    @Test
    void shouldNameTheFlagThatMakesAgronaWork() throws Exception {
        assertThat(outputOfJvm(Checks.class, RequiredFlags.ADD_EXPORTS)).contains("read 7");
    }

    @Test
    void shouldBeNeededByAgrona() throws Exception {
        assertThat(outputOfJvm(UsesAgrona.class, "-Da=b")).contains("IllegalAccessError");
    }

    private static String outputOfJvm(final Class<?> main, final String flag) throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.add(flag);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("JDK_JAVA_OPTIONS");
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        final Process process = builder.start();
        process.getOutputStream().close();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    static final class Checks {
        private Checks() {}

        public static void main(final String[] args) {
            RequiredFlags.check();
            UsesAgrona.main(args);
        }
    }

    static final class UsesAgrona {
        private UsesAgrona() {}

        public static void main(final String[] args) {
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
            buffer.putInt(0, 7);
            System.out.println("read " + buffer.getInt(0));
        }
    }
}
