package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The code for Spring on the pages compiles, as members of a class that has a template. */
@Tag("one-jdk")
class SpringDocumentTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern BLOCK = Pattern.compile("^```java\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    /** With the code in it. */
    private static final String CLASS = """
            import io.penstock.client.*;
            import io.penstock.spring.*;
            import io.penstock.spring.annotation.*;
            import io.penstock.spring.endpoint.*;
            import io.penstock.spring.template.*;
            import java.util.*;
            import org.springframework.context.annotation.*;
            import org.springframework.messaging.handler.annotation.*;
            import org.springframework.stereotype.*;

            IMPORTS

            class Snippet {
                record Order(String symbol, String side, double price) {}

                record Quote(int id, double price) {}

                PenstockTemplate template;

            CODE
            }
            """;

    /** The compiler's errors; empty when it compiles. */
    private static List<String> errors(final String code) {
        final StringWriter output = new StringWriter();
        final JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///Snippet.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(final boolean ignoreEncodingErrors) {
                        final Map<Boolean, String> parts = code.lines()
                                .collect(Collectors.partitioningBy(
                                        line -> line.startsWith("import "), Collectors.joining("\n")));
                        return CLASS.replace("IMPORTS", parts.getOrDefault(true, ""))
                                .replace("CODE", parts.getOrDefault(false, "").replace("{ … }", "{}"));
                    }
                };
        final List<String> options = List.of(
                "-proc:none",
                "-Xlint:none",
                "-implicit:none",
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                "target");
        return ToolProvider.getSystemJavaCompiler()
                        .getTask(output, null, null, options, null, List.of(source))
                        .call()
                ? List.of()
                : List.of(code + "\n" + output);
    }

    @Test
    void shouldCompileWhenTheCodeOfAPage() throws IOException {
        final List<String> errors = new ArrayList<>();
        int count = 0;
        for (final Path page : List.of(ROOT.resolve("README.md"), ROOT.resolve("docs/concepts/spring.md"))) {
            for (final MatchResult block :
                    BLOCK.matcher(Files.readString(page)).results().toList()) {
                if ((block.group(1).contains("@Penstock") || block.group(1).contains("PenstockListenerConfigurer"))) {
                    count++;
                    errors.addAll(errors(block.group(1)));
                }
            }
        }
        assertThat(errors).isEmpty();
        assertThat(count).isEqualTo(8);
    }

    @Test
    void shouldFailWhenTheCodeHasAnotherName() {
        assertThat(errors("@PenstockState(topic = \"quotes\") Map<String, Quote> quotes;"))
                .isEmpty();
        assertThat(errors("@PenstockState(topics = \"quotes\") Map<String, Quote> quotes;"))
                .singleElement()
                .asString()
                .contains("topics");
    }
}
