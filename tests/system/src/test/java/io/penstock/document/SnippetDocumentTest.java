package io.penstock.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** The Java code of the pages compiles, as the statements of a method that has a client, a server and a broker. */
class SnippetDocumentTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern BLOCK = Pattern.compile("^```java\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    /** What stands for more code, in code that is not complete. */
    private static final String GAP = "…";

    /** Pages whose code needs other libraries: the bridge's contract has classes of the same names. */
    private static final Set<String> OTHERS = Set.of("bridge.md", "orbs.md", "spring.md");

    /** With the code in it. */
    private static final String CLASS = """
            import io.penstock.admin.*;
            import io.penstock.broker.*;
            import io.penstock.broker.security.*;
            import io.penstock.client.*;
            import io.penstock.format.header.*;
            import java.nio.file.Path;
            import java.time.*;
            import java.util.*;
            import java.util.concurrent.*;

            class Snippet {
                record Order(String text, int creditLength) {}

                interface Database {
                    void insert(String text);
                }

                static void book(MessageView message) {}

                static void process(Order order) {}

                static int fill(java.nio.ByteBuffer bytes) {
                    return 0;
                }

                static void run(PARAMETERS) throws Exception {
            CODE
                }
            }
            """;

    private static final List<String> GIVEN = List.of(
            "PenstockClient client",
            "PenstockClient server",
            "Broker broker",
            "SessionListener listener",
            "BlockingQueue<Order> queue",
            "Executor executor",
            "Database database",
            "long done");

    @Test
    void shouldCompileWhenTheCodeOfAPage() throws IOException {
        final List<String> errors = new ArrayList<>();
        int count = 0;
        for (final Path page : pages()) {
            final Matcher blocks = BLOCK.matcher(Files.readString(page));
            for (final MatchResult block : blocks.results().toList()) {
                if (!block.group(1).contains(GAP)) {
                    count++;
                    errors.addAll(errors(page + ": " + block.group(1), block.group(1)));
                }
            }
        }
        assertThat(errors).isEmpty();
        assertThat(count).isGreaterThan(12);
    }

    @Test
    void shouldFailWhenTheCodeHasAnotherName() {
        assertThat(errors("right", "client.publish(\"orders\", \"{}\");")).isEmpty();
        assertThat(errors("wrong", "client.publishes(\"orders\", \"{}\");"))
                .singleElement()
                .asString()
                .contains("wrong", "publishes");
    }

    private static List<Path> pages() throws IOException {
        final List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.startsWith(ROOT.resolve("docs/internals")))
                    .filter(file -> !OTHERS.contains(file.getFileName().toString()))
                    .sorted()
                    .forEach(pages::add);
        }
        return pages;
    }

    /** The name and the compiler's errors; empty when it compiles. */
    private static List<String> errors(final String name, final String code) {
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final StringWriter output = new StringWriter();
        final List<String> options = List.of(
                "-proc:none",
                "-Xlint:none",
                "-implicit:none",
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                "target");
        final JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///Snippet.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(final boolean ignoreEncodingErrors) {
                        return CLASS.replace("PARAMETERS", String.join(", ", given(code)))
                                .replace("CODE", code);
                    }
                };
        final boolean isRight = compiler.getTask(output, null, null, options, null, List.of(source))
                .call();
        return isRight ? List.of() : List.of(name + "\n" + output);
    }

    /** Those that the code does not make itself. */
    private static List<String> given(final String code) {
        return GIVEN.stream().filter(each -> !code.contains(each + " =")).toList();
    }
}
