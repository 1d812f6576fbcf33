package io.penstock.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the files of the console may have in them. */
@Tag("one-jdk")
class ConsoleFilesTest {
    private static final Pattern SUM = Pattern.compile("(?m)^([0-9a-f]{64})  (\\S+)$");
    private static final Pattern IMPORT = Pattern.compile("(?:from|^import) '([^']+)'", Pattern.MULTILINE);
    private static final Pattern LOADED = Pattern.compile("(?:src|href)=\"([^\"]+)\"");

    /** Ways by which text could become markup or code, or which the policy for content forbids. */
    private static final Pattern FORBIDDEN = Pattern.compile(
            "innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\\.write|\\beval\\(|new Function"
                    + "|setAttribute\\('(?:style|on)|https?://|javascript:");

    private static final int LINE_COUNT_MAX = 400;
    private static final int LENGTH_MAX = 300_000;

    @Test
    void shouldBeAsItWasPublishedWhenAFileOfAnotherProject() throws IOException, NoSuchAlgorithmException {
        final Path vendor = ConsoleFiles.FOLDER.resolve("vendor");
        final Map<String, String> said = new TreeMap<>();
        SUM.matcher(Files.readString(vendor.resolve("VENDORED.md")))
                .results()
                .forEach(sum -> said.put(sum.group(2), sum.group(1)));

        final Map<String, String> found = new TreeMap<>();
        for (final String ending : List.of(".js", ".css")) {
            for (final Path file : ConsoleFiles.list("vendor", ending)) {
                found.put(file.getFileName().toString(), sha256(file));
            }
        }
        assertThat(found).isEqualTo(said);
    }

    private static String sha256(final Path file) throws IOException, NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    @Test
    void shouldMakeNoMarkupOfTextWhenAScript() throws IOException {
        for (final Path file : ConsoleFiles.list("js", ".js")) {
            assertThat(Files.readString(file)).as(file.toString()).doesNotContainPattern(FORBIDDEN);
        }
    }

    @Test
    void shouldHaveNoScriptAndStyleOfItsOwnWhenThePage() throws IOException {
        final String page = Files.readString(ConsoleFiles.FOLDER.resolve("index.html"));
        assertThat(page).doesNotContainPattern("<script(?![^>]*src=)|<style|style=|\\son\\w+=|https?://");
    }

    @Test
    void shouldBeThereWhenItIsLoaded() throws IOException {
        for (final Path file : ConsoleFiles.list("", ".js")) {
            for (final MatchResult loaded :
                    IMPORT.matcher(Files.readString(file)).results().toList()) {
                assertThat(file.resolveSibling(loaded.group(1)).normalize()).isRegularFile();
            }
        }
        final Path page = ConsoleFiles.FOLDER.resolve("index.html");
        for (final MatchResult loaded :
                LOADED.matcher(Files.readString(page)).results().toList()) {
            assertThat(page.resolveSibling(loaded.group(1))).isRegularFile();
        }
    }

    @Test
    void shouldBeSmall() throws IOException {
        for (final Path file : ConsoleFiles.list("js", ".js")) {
            assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeLessThanOrEqualTo(LINE_COUNT_MAX);
        }
        long length = 0;
        for (final Path file : ConsoleFiles.list("", "")) {
            length += Files.isRegularFile(file) ? Files.size(file) : 0;
        }
        assertThat(length).isLessThan(LENGTH_MAX);
    }
}
