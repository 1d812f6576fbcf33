package io.penstock.standalone.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.BrokerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Files that packages and clusters get: what they say is right, and fits together. */
class PackagedFilesTest {
    private static final Path DIST = Path.of("src/dist");
    private static final Path KUBERNETES = DIST.resolve("kubernetes/penstock.yaml");
    private static final Path CONTAINER = DIST.resolve("container/Containerfile");

    /** The longest wait of a broker that stops, unless it is told another one. */
    private static final int DRAIN_S = 10;

    @TempDir
    Path folder;

    @Test
    void shouldBeConfigurationsThatNobodyElseCanReachWhenPackaged() {
        for (final String name : List.of("debian/penstock.yaml", "container/penstock.yaml")) {
            final BrokerConfig config = config(DIST.resolve(name));
            assertThat(config.listen()).as(name).singleElement().asString().isEqualTo("tcp://127.0.0.1:9100");
            assertThat(config.journal().directory()).as(name).isEqualTo("/var/lib/penstock");
        }
    }

    @Test
    void shouldListTheFilesThatAreAnAdministrators() throws IOException {
        assertThat(Files.readAllLines(DIST.resolve("debian/conffiles")))
                .containsExactly("/etc/default/penstock", "/etc/penstock/penstock.yaml");
        final String unit = Files.readString(DIST.resolve("systemd/penstock.service"));
        assertThat(unit)
                .contains(
                        "ExecStart=/usr/bin/penstock serve /etc/penstock/penstock.yaml\n",
                        "EnvironmentFile=-/etc/default/penstock\n",
                        "Type=notify\n",
                        "User=penstock\n");
    }

    @Test
    void shouldRunTheContainersBrokerInACluster() throws IOException {
        final String containerfile = Files.readString(CONTAINER);
        final Map<String, Object> set = document("StatefulSet");
        final Map<String, Object> pod = map(map(set, "spec", "template"), "spec");
        final Map<String, Object> container = map(list(pod, "containers").get(0));

        final Map<String, Object> user = map(pod, "securityContext");
        assertThat(containerfile).contains("USER " + user.get("runAsUser") + ":" + user.get("runAsGroup") + "\n");
        assertThat(user).containsEntry("runAsNonRoot", true).containsEntry("fsGroup", user.get("runAsGroup"));
        assertThat(map(container, "securityContext"))
                .containsEntry("readOnlyRootFilesystem", true)
                .containsEntry("allowPrivilegeEscalation", false)
                .containsEntry("capabilities", Map.of("drop", List.of("ALL")));
        assertThat((Integer) pod.get("terminationGracePeriodSeconds")).isGreaterThan(DRAIN_S);

        final List<Object> ping = list(map(map(container, "readinessProbe"), "exec"), "command");
        assertThat(containerfile)
                .contains(
                        "ENTRYPOINT [\"" + ping.get(0) + "\"",
                        "\"-jar\", \"" + ping.get(ping.indexOf("-jar") + 1) + "\"");
        assertThat(ping.subList(ping.size() - 3, ping.size())).containsExactly("ping", "-n", "1");
        final Object port = map(list(container, "ports").get(0)).get("name");
        for (final String probe : List.of("startupProbe", "livenessProbe")) {
            assertThat(map(map(container, probe), "tcpSocket")).containsEntry("port", port);
        }
    }

    @Test
    void shouldGiveTheBrokerWhatItsConfigurationNamesInACluster() throws IOException {
        final Map<String, Object> set = document("StatefulSet");
        final Map<String, Object> pod = map(map(set, "spec", "template"), "spec");
        final Map<String, Object> container = map(list(pod, "containers").get(0));
        final Path file = Files.writeString(folder.resolve("penstock.yaml"), (String)
                map(document("ConfigMap"), "data").get("penstock.yaml"));
        final BrokerConfig config = config(file);

        final Map<Object, String> mounts = new HashMap<>();
        list(container, "volumeMounts")
                .forEach(each ->
                        mounts.put(map(each).get("name"), (String) map(each).get("mountPath")));
        final List<Object> volumes = new ArrayList<>();
        list(pod, "volumes").forEach(each -> volumes.add(map(each).get("name")));
        list(map(set, "spec"), "volumeClaimTemplates")
                .forEach(each -> volumes.add(map(each, "metadata").get("name")));
        assertThat(mounts.keySet()).containsExactlyInAnyOrderElementsOf(volumes);
        assertThat(config.journal().directory()).startsWith(mounts.get("data") + "/");
        assertThat(Files.readString(CONTAINER)).contains("\"serve\", \"" + mounts.get("config") + "/penstock.yaml\"");
        assertThat(config.listen())
                .singleElement()
                .asString()
                .endsWith(":" + map(list(container, "ports").get(0)).get("containerPort"));

        final Object labels = map(map(set, "spec", "template"), "metadata").get("labels");
        assertThat(map(document("Service"), "spec")).containsEntry("selector", labels);
        assertThat(map(set, "spec", "selector")).containsEntry("matchLabels", labels);
        assertThat(map(document("NetworkPolicy"), "spec", "podSelector")).containsEntry("matchLabels", labels);
        assertThat(map(document("PodDisruptionBudget"), "spec", "selector")).containsEntry("matchLabels", labels);
        assertThat(map(set, "spec"))
                .containsEntry(
                        "serviceName", map(document("Service"), "metadata").get("name"));
    }

    private static BrokerConfig config(final Path file) {
        final ConfigSource source = new ConfigSource();
        source.file(file);
        return source.config();
    }

    /** The one of that kind. */
    private static Map<String, Object> document(final String kind) throws IOException {
        final List<Map<String, Object>> found = new ArrayList<>();
        for (final Object each :
                new Load(LoadSettings.builder().build()).loadAllFromString(Files.readString(KUBERNETES))) {
            if (kind.equals(map(each).get("kind"))) {
                found.add(map(each));
            }
        }
        assertThat(found).as(kind).hasSize(1);
        return found.get(0);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(final Object value, final String... path) {
        Object at = Objects.requireNonNull(value);
        for (final String name : path) {
            at = Objects.requireNonNull(((Map<String, Object>) at).get(name), name);
        }
        return (Map<String, Object>) at;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(final Map<String, Object> in, final String name) {
        return (List<Object>) Objects.requireNonNull(in.get(name), name);
    }
}
