package io.penstock.broker.security.user;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.scram.ScramVerifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file of users. */
class UsersFileTest {
    @TempDir
    private Path directory;

    private Path path;

    @BeforeEach
    void name() {
        path = directory.resolve("users");
    }

    @Test
    void shouldReadWhatItHasWritten() {
        final User ann = new User(
                "ann",
                true,
                Set.of("trader", "admin"),
                Map.of("desk", "fx spot", "quote", "a\"b\\c", "empty", ""),
                ScramVerifier.derive("secret", 4096),
                List.of("CN=Ann \\, the first,O=Example", "dns:ann.example.com"),
                Set.of(1000, 7));
        final User bob = User.named("bób@example.com");
        final UsersFile file = UsersFile.empty(path);
        file.put(ann);
        file.put(bob);
        file.write();

        assertThat(UsersFile.read(path).users()).containsExactly(ann, bob);
        final ScramVerifier madeUp = UsersFile.read(path).table().verifier("nobody");
        assertThat(madeUp.salt())
                .isEqualTo(UsersFile.read(path).table().verifier("nobody").salt())
                .isNotEqualTo(UsersFile.read(path).table().verifier("nobody2").salt())
                .hasSameSizeAs(UsersFile.read(path).table().verifier("ann").salt());
        assertThat(madeUp.iterations()).isEqualTo(4096);
    }

    @Test
    void shouldKeepCommentsAndOrderWhenItIsEdited() throws IOException {
        write("# our users", "user ann role=a", "", "  # of the night", "user bob", "user carol");
        final UsersFile file = UsersFile.read(path);
        file.put(User.named("ann"));
        assertThat(file.remove("bob")).isTrue();
        assertThat(file.remove("bob")).isFalse();
        file.put(User.named("dave"));
        file.write();

        assertThat(Files.readString(path))
                .isEqualTo("penstock-users 1\n# our users\nuser ann\n\n# of the night\nuser carol\nuser dave\n");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldBeItsOwnersAlone() throws IOException {
        final UsersFile file = UsersFile.empty(path);
        file.write();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> UsersFile.read(path))
                .hasMessage("users: " + path + ": others can read it: rw-r----- (chmod 600 " + path + ")");
    }

    @Test
    void shouldSayHowToMakeItWhenThereIsNone() {
        assertThatThrownBy(() -> UsersFile.read(path))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("users: " + path + ": no such file or directory (make it by 'penstock user add')");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "user ann colour=red|no such word: 'colour'",
                "user ann role|no such word: 'role'",
                "user ann uid=-1|no such word: 'uid'",
                "user ann uid=12345678901|no such word: 'uid'",
                "user ann password=secret|password: not a verifier",
                "user ann certificate=ann|certificate: not a name: ann",
                "user ann certificate=|certificate: empty: ''",
                "user ann certificate=dns:|certificate: empty: 'dns:'",
                "user ann attribute.x=\"a|a quote is not closed",
                "user|a word alone",
                "ann role=x|begins with neither 'user' nor 'secret'",
                "user anonymous|clients without a user are called so",
                "user a,b|user: not a name: 'a,b'",
                "user ann role=a=b|role: not a name: 'a=b'",
                "secret AAAA|secret: shorter than 32 bytes",
                "secret !|secret: not Base64",
            })
    void shouldNameTheLineWhenItIsWrong(final String line, final String reason) throws IOException {
        write("user zoe", line);

        assertThatThrownBy(() -> UsersFile.read(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("users: " + path + ":3: ")
                .hasMessageContaining(reason);
    }

    @Test
    void shouldRefuseWhenTwoUsersAreTheSame() throws IOException {
        for (final String twice : List.of("", " uid=5", " certificate=cn=x", " certificate=dns:Host")) {
            write(
                    "# of the desk",
                    "user ann" + twice,
                    "user carol",
                    "user " + (twice.isEmpty() ? "ann" : "bob") + twice,
                    "user dave",
                    "user dave");

            assertThatThrownBy(() -> UsersFile.read(path))
                    .hasMessageStartingWith("users: " + path + ":5: ")
                    .hasMessageContaining(": twice: ");
        }
    }

    @Test
    void shouldRefuseWhatIsNoFileOfUsers() throws IOException {
        Files.writeString(path, "root:x:0:0\n");
        restrict();
        assertThatThrownBy(() -> UsersFile.read(path)).hasMessageContaining(":1: the first line is not");
        Files.write(path, new byte[] {(byte) 0xC0, 0});
        assertThatThrownBy(() -> UsersFile.read(path)).hasMessageContaining("not text");
        Files.write(path, new byte[0]);
        assertThatThrownBy(() -> UsersFile.read(path)).hasMessageContaining("empty");
    }

    private void write(final String... lines) throws IOException {
        Files.write(path, ("penstock-users 1\n" + String.join("\n", lines) + "\n").getBytes(UTF_8));
        restrict();
    }

    private void restrict() throws IOException {
        if (Files.getFileStore(path).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        }
    }
}
