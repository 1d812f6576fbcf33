package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.AuditConfig;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.journal.backup.CopyListener;
import io.penstock.broker.journal.backup.JournalRestore;
import io.penstock.client.AckType;
import io.penstock.client.PenstockClient;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups that callers of the admin port have made. */
class BackupApiTest extends AdminFixture {
    private static final String PATH = "/api/v1/log/backups";

    @TempDir
    private Path folder;

    private long rate;

    @Override
    BrokerConfig.Builder brokerConfig() {
        return super.brokerConfig()
                .audit(AuditConfig.in(folder.resolve("audit").toString()))
                .journal(JournalConfig.in(folder.resolve("journal").toString()));
    }

    @Override
    AdminConfig config() {
        return super.config().backups(folder.resolve("backups").toString(), rate);
    }

    private void publish(final int count) throws Exception {
        try (PenstockClient client = connect()) {
            for (int i = 0; i < count; i++) {
                client.publish("prices", "{\"symbol\":\"S" + i + "\",\"text\":\"" + "x".repeat(1000) + "\"}");
            }
            client.publish("prices", "{\"symbol\":\"last\"}", AckType.PERSISTED).get(30, TimeUnit.SECONDS);
        }
    }

    private JsonValue ended(final String id) throws Exception {
        JsonValue backup;
        do {
            backup = ok(PATH + "/" + id);
        } while (backup.text("state").equals("running"));
        return backup;
    }

    private List<String> folders() throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("backups"))) {
            return all.filter(Files::isDirectory)
                    .map(each -> each.getFileName().toString())
                    .toList();
        }
    }

    @Test
    void shouldMakeABackupThatCanBeRestored() throws Exception {
        publish(100);
        final HttpResponse<String> begun = post(PATH, "");
        assertThat(begun.statusCode()).as(begun.body()).isEqualTo(202);
        assertThat(begun.headers().firstValue("Location")).hasValue(PATH + "/1");

        final JsonValue backup = ended("1");

        assertThat(backup.text("state")).as(backup.toString()).isEqualTo("made");
        assertThat(backup.number("copiedBytes")).isGreaterThan(100_000);
        assertThat(backup.at("shards").list().get(0).number("last")).isGreaterThanOrEqualTo(101);
        assertThat(folders()).containsExactly(backup.text("name"));
        assertThat(ok(PATH).items()).hasSize(1);
        assertThat(begun.body() + backup).doesNotContain(folder.toString());
        JournalRestore.open(
                        folder.resolve("backups").resolve(backup.text("name")).toString())
                .check(CopyListener.NONE);
        admin.close();
        broker.close();
        assertThat(Files.readString(folder.resolve("audit").resolve("audit-0000000001.jsonl")))
                .contains("\"what\":\"begin backup 1\"")
                .contains("\"what\":\"backup 1: made " + backup.text("name") + "\"")
                .contains("\"peer\":\"http://127.0.0.1:");
    }

    @Test
    void shouldMakeOneAtATimeAndLeaveNothingOfOneThatIsCancelled() throws Exception {
        publish(2000);
        rate = 1024 * 1024;
        admin.close();
        admin = AdminServer.launch(config(), broker);
        assertThat(post(PATH, "").statusCode()).isEqualTo(202);
        final HttpResponse<String> second = post(PATH, "");
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("BACKUP_RUNNING");
        assertThat(delete(PATH + "/1").statusCode()).isEqualTo(204);
        assertThat(ended("1").text("state")).isEqualTo("cancelled");
        assertThat(folders()).isEmpty();
        assertThat(delete(PATH + "/1").statusCode()).isEqualTo(409);
        assertThat(delete(PATH + "/2").statusCode()).isEqualTo(404);
        assertThat(get(PATH + "/x").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldRefuseWhatCallersGiveAndFoldersThatCannotBe() throws Exception {
        assertThat(post(PATH, "{\"to\":\"/etc\"}").statusCode()).isEqualTo(400);
        publish(1);
        Files.createFile(folder.resolve("backups"));
        assertThat(post(PATH, "").statusCode()).isEqualTo(202);
        final JsonValue failed = ended("1");
        assertThat(failed.text("state")).isEqualTo("failed");
        assertThat(failed.text("problem")).contains("backups");
        Files.delete(folder.resolve("backups"));
        assertThat(post(PATH, "").statusCode()).isEqualTo(202);
        assertThat(ended("2").text("state")).isEqualTo("made");
        try (AdminServer without = AdminServer.launch(super.config(), broker)) {
            admin.close();
            admin = without;
            final HttpResponse<String> none = post(PATH, "");
            assertThat(none.statusCode()).isEqualTo(409);
            assertThat(none.body()).contains("admin.backupDirectory");
        }
        final AdminConfig inside =
                super.config().backups(folder.resolve("journal/x").toString(), 0);
        assertThatThrownBy(() -> AdminServer.launch(inside, broker)).hasMessageContaining("admin.backupDirectory");
    }
}
