package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.event.Event;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.Authorizer;
import io.penstock.broker.security.Entitlement;
import io.penstock.broker.security.IdentityQuotas;
import io.penstock.broker.security.Principal;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.format.FieldSelection;
import io.penstock.protocol.ErrorCode;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An authorizer of a program that fails refuses by that, with one error, and hurts nobody else. */
@Timeout(60)
class FailingAuthorizerTest {
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();

    /** Fails in one of its methods once it is told to. */
    private static final class Failing implements Authorizer {
        private final Method method;
        private final Throwable error;
        private volatile boolean isBroken;

        Failing(final Method method, final Throwable error) {
            this.method = method;
            this.error = error;
        }

        private void in(final Method called, final Principal principal) {
            if (isBroken && called == method && !principal.name().equals("root")) {
                if (error instanceof Error fatal) {
                    throw fatal;
                }
                throw (RuntimeException) error;
            }
        }

        @Override
        public boolean isAllowed(final Principal principal, final Action action, final String topic) {
            in(Method.IS_ALLOWED, principal);
            return true;
        }

        @Override
        public @Nullable Entitlement entitlement(final Principal principal, final List<Action> actions) {
            in(Method.ENTITLEMENT, principal);
            return null;
        }

        @Override
        public FieldSelection hidden(final Principal principal, final String topic) {
            in(Method.HIDDEN, principal);
            return Authorizer.super.hidden(principal, topic);
        }

        @Override
        public IdentityQuotas quotas(final Principal principal) {
            in(Method.QUOTAS, principal);
            return IdentityQuotas.UNSAID;
        }

        @Override
        public @Nullable String condition(final Principal principal, final List<Action> actions, final String topic) {
            in(Method.CONDITION, principal);
            return Authorizer.super.condition(principal, actions, topic);
        }
    }

    enum Method {
        IS_ALLOWED,
        ENTITLEMENT,
        HIDDEN,
        CONDITION,
        QUOTAS
    }

    private TestBroker start(final Authorizer authorizer) {
        return new TestBroker(builder -> builder.topic(TopicConfig.keyed("o", "json", "id"))
                .events(events::add)
                .security(new SecurityConfig(GuardedBroker.BY_NAME, authorizer, false)));
    }

    @ParameterizedTest
    @EnumSource(
            value = Method.class,
            names = {"IS_ALLOWED", "ENTITLEMENT", "HIDDEN", "CONDITION"})
    void shouldRefuseWhatItIsAskedForWhenItFails(final Method method) {
        final Failing authorizer = new Failing(method, new IllegalStateException("no connection to the directory"));
        try (TestBroker test = start(authorizer)) {
            final StateClient root = new StateClient(test, "root");
            final StateClient ann = new StateClient(test, "ann");
            authorizer.isBroken = true;

            if (method != Method.HIDDEN && method != Method.CONDITION) {
                ann.subscribe(1, SubscribeRequest.pattern("o.*"));
                assertRefused(ann);
            }
            if (method != Method.ENTITLEMENT) {
                ann.subscribe(2, SubscribeRequest.topic("o"));
                assertRefused(ann);
                if (method != Method.HIDDEN) {
                    assertThat(ann.sow(SowRequest.topic("o"))).isEmpty();
                    assertRefused(ann);
                }
            }

            assertThat(test.broker.counter("authorizerFailures")).isPositive();
            assertThat(events).anySatisfy(event -> {
                assertThat(event.kind()).isEqualTo(EventKind.AUTHORIZER_FAILED);
                assertThat(event.toString()).contains("no connection to the directory");
            });
            assertThat(test.takeErrors()).isNotEmpty().allMatch(text -> text.contains("no connection"));
            root.publish("o", "{\"id\":1}");
            root.flush();
            assertThat(root.sow(SowRequest.topic("o"))).hasSize(1);

            authorizer.isBroken = false;
            ann.subscribe(3, SubscribeRequest.pattern("o.*"));
            root.publish("o", "{\"id\":2}");
            root.flush();
            assertThat(ann.errors).isEmpty();
            assertThat(ann.take()).containsExactly("3 MESSAGE {\"id\":2}");
        }
    }

    private static void assertRefused(final StateClient client) {
        assertThat(client.errors).hasSize(1);
        assertThat(client.errors.get(0).errorCode()).isEqualTo(ErrorCode.NOT_AUTHORIZED);
        assertThat(client.errors.get(0).text()).contains("not allowed for ann");
        client.errors.clear();
    }

    @ParameterizedTest
    @EnumSource(
            value = Method.class,
            names = {"IS_ALLOWED", "ENTITLEMENT", "QUOTAS"})
    void shouldNotBreakTheAgentWhenItThrowsAnError(final Method method) {
        final Failing authorizer = new Failing(method, new StackOverflowError("recursion"));
        try (TestBroker test = start(authorizer)) {
            final StateClient ann = new StateClient(test, "ann");
            authorizer.isBroken = true;
            if (method == Method.QUOTAS) {
                new StateClient(test, "bob");
            } else {
                ann.subscribe(1, SubscribeRequest.pattern("o.*"));
                assertRefused(ann);
            }

            assertThat(test.broker.counter("authorizerFailures")).isPositive();
            assertThat(test.takeErrors()).isNotEmpty();
            authorizer.isBroken = false;
            ann.publish("o", "{\"id\":1}");
            ann.flush();
            assertThat(ann.errors).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"not a filter (", "id = = 1"})
    void shouldRefuseWhenItGivesWhatIsNoFilter(final String condition) {
        final Authorizer authorizer = new Authorizer() {
            @Override
            public boolean isAllowed(final Principal principal, final Action action, final String topic) {
                return true;
            }

            @Override
            public String condition(final Principal principal, final List<Action> actions, final String topic) {
                return principal.name().equals("ann") ? condition : "";
            }
        };
        try (TestBroker test = start(authorizer)) {
            final StateClient ann = new StateClient(test, "ann");
            ann.publish("o", "{\"id\":1}");
            ann.flush();
            assertThat(ann.errors).extracting(each -> each.errorCode()).containsExactly(ErrorCode.NOT_AUTHORIZED);
            ann.errors.clear();
            ann.subscribe(1, SubscribeRequest.topic("o"));
            assertRefused(ann);

            assertThat(test.broker.counter("authorizerFailures")).isPositive();
            assertThat(test.takeErrors()).isNotEmpty();
        }
    }
}
