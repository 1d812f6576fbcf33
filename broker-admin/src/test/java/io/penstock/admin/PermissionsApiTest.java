package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.PermissionsConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.ActionWord;
import io.penstock.broker.security.AnonymousLogon;
import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Permissions;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.Role;
import io.penstock.broker.security.user.User;
import io.penstock.broker.security.user.UsersFile;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of permissions. */
class PermissionsApiTest extends AdminFixture {
    private static final List<Role> ROLES = List.of(
            new Role(Role.EVERYONE, List.of(PermissionRule.allow(List.of("admin-read"), List.of("*"), ""))),
            new Role(
                    "trader",
                    List.of(
                            PermissionRule.allow(
                                    List.of("read", "publish"), List.of("orders.*", "quotes"), "desk = USER('desk')"),
                            PermissionRule.deny(List.of("read"), List.of("quotes"), ""))));

    @TempDir
    private Path folder;

    @Override
    BrokerConfig.Builder brokerConfig() {
        return super.brokerConfig().permissions(new PermissionsConfig("", ROLES));
    }

    @Override
    SecurityConfig security() {
        final Path users = folder.resolve("users");
        final UsersFile file = UsersFile.empty(users);
        file.put(new User(
                "bob",
                false,
                Set.of("trader"),
                Map.of("desk", "fx"),
                null,
                List.of("dns:bob.example.com"),
                Set.of(1000)));
        file.put(User.named("carol"));
        file.write();
        return SecurityConfig.defaults().withUsers(users.toString()).withAnonymous(AnonymousLogon.ALL);
    }

    @Test
    void shouldExplainAsThePermissionsDo() throws Exception {
        final JsonValue answer = ok("/api/v1/permissions/explain?user=bob&topic=orders.1");

        assertThat(answer.text("user")).isEqualTo("bob");
        assertThat(answer.at("roles")).hasToString("[trader]");
        final Permissions permissions = Permissions.of(ROLES);
        final Principal bob = new Principal("bob", Set.of("trader"), Map.of("desk", "fx"));
        final Set<Action> all = ActionWord.actions(List.of("all"));
        assertThat(answer.items()).hasSize(all.size());
        for (final Action action : all) {
            final Permissions.Explanation expected = permissions.explain(bob, action, "orders.1");
            final JsonValue item = answer.item("action", ActionWord.of(action));
            assertThat(item.text("text")).isEqualTo(expected.sentence("bob", action, "orders.1"));
            assertThat(item.truth("allowed")).isEqualTo(expected.isAllowed());
            assertThat(item.at("rules")).hasToString(expected.rules().toString());
        }
        assertThat(answer.item("action", "subscribe").text("condition")).isEqualTo("desk = 'fx'");
        assertThat(answer.item("action", "subscribe").text("text"))
                .isEqualTo("bob may subscribe orders.1 where desk = 'fx', by:");
    }

    @Test
    void shouldExplainForRolesAndAttributesThatAreGiven() throws Exception {
        final JsonValue none = ok("/api/v1/permissions/explain?user=bob&roles=&action=query&topic=orders.1");
        assertThat(none.items().get(0).text("text")).isEqualTo("bob may not query orders.1: no rule allows it");
        final JsonValue denied = ok("/api/v1/permissions/explain?user=eve&roles=trader&action=query&topic=quotes");
        assertThat(denied.items().get(0).at("rules").toString()).contains("role trader, rule 2: deny read");
        final JsonValue other =
                ok("/api/v1/permissions/explain?user=bob&attributes=desk%3Deq&action=read&topic=orders.1");
        assertThat(other.items()).hasSize(3);
        assertThat(other.items().get(0).text("condition")).isEqualTo("desk = 'eq'");
    }

    @Test
    void shouldListRolesAndUsersWithoutSecrets() throws Exception {
        assertThat(ok("/api/v1/roles").item("role", "trader").at("rules"))
                .hasToString(
                        "[allow read, publish on orders.*, quotes where desk = USER('desk'), deny read on quotes]");
        final JsonValue first = ok("/api/v1/users?limit=1");
        assertThat(first.items()).hasSize(1);
        final JsonValue bob = first.item("user", "bob");
        assertThat(bob.at("attributes").text("desk")).isEqualTo("fx");
        assertThat(bob.truth("password")).isFalse();
        assertThat(bob.number("certificates")).isOne();
        assertThat(ok("/api/v1/users?limit=1&cursor=" + first.text("next")).items())
                .extracting(each -> each.text("user"))
                .containsExactly("carol");
        assertThat(get("/api/v1/users").body()).doesNotContain("bob.example.com").doesNotContain("1000");
        assertThat(ok("/api/v1/roles?limit=1").text("next")).isEqualTo("everyone");
        assertThat(ok("/api/v1/roles?limit=1&cursor=everyone").items()).hasSize(1);
    }

    /** A console shows what somebody may do with some topics, though not with all. */
    @Test
    void shouldTellACallerWhatItMayDoWithOneTopicOrAnother() throws Exception {
        broker.permissions(Permissions.of(List.of(new Role(
                Role.EVERYONE,
                List.of(
                        PermissionRule.allow(List.of("read", "create"), List.of("orders.*"), ""),
                        PermissionRule.allow(List.of("publish", "admin"), List.of("*"), ""),
                        PermissionRule.deny(List.of("replay"), List.of("orders.secret"), ""),
                        PermissionRule.deny(List.of("admin-write", "publish"), List.of("*"), ""))))));
        final String permissions =
                ok("/api/v1/session").at("permissions").toString();
        assertThat(permissions)
                .contains("SUBSCRIBE", "QUERY", "REPLAY", "CREATE_TOPIC", "ADMIN_READ", "DELETE_TOPIC")
                .doesNotContain("ADMIN_WRITE", " PUBLISH", "LIST_TOPICS");
    }

    @Test
    void shouldRefuseWhatCannotBeExplained() throws Exception {
        for (final String query : List.of(
                "action=query",
                "user=bob&action=fly",
                "user=bob&attributes=desk",
                "user=bob&roles=" + "x,".repeat(2) + String.join(",", numbers()))) {
            final HttpResponse<String> response = get("/api/v1/permissions/explain?" + query);
            assertThat(response.statusCode()).as(query).isEqualTo(400);
        }
        broker.permissions((principal, action, topic) -> action != Action.ADMIN_READ);
        assertThat(get("/api/v1/permissions/explain?user=bob").statusCode()).isEqualTo(403);
        assertThat(get("/api/v1/users").statusCode()).isEqualTo(403);
        broker.permissions((principal, action, topic) -> true);
        final HttpResponse<String> none = get("/api/v1/permissions/explain?user=bob");
        assertThat(none.statusCode()).isEqualTo(404);
        assertThat(none.body()).contains("NO_PERMISSIONS");
        assertThat(ok("/api/v1/roles").items()).isEmpty();
    }

    private static List<String> numbers() {
        return IntStream.range(0, 300)
                .mapToObj(Integer::toString)
                .toList();
    }
}
