package io.penstock.system.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.format.FieldSelection;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the code may not do, and where. */
@Tag("one-jdk")
class CodeRulesTest {
    private static final String BROKER = "io.penstock.broker..";
    /** The broker runs it on the path of messages. */
    private static final String FORMATS = "io.penstock.format..";

    private static final String CONCURRENT = "io.penstock.broker.concurrent..";
    private static final String BROKER_ITSELF = "io.penstock.broker.Broker";
    private static final String GENERATED = "io.penstock.protocol.codec";
    /** Of Java 8, which has no place for the annotation. */
    private static final String CONTRACT = "io.penstock.orb";

    private static final String ASKED = "io.penstock.broker.security.AskedAuthorizer";
    private static final String GATE = "io.penstock.broker.security.AccessGate";
    private static final String AUTHORIZER = "io.penstock.broker.security.Authorizer";
    private static final int PACKAGE_FILES_MAX = 40;

    /** The client's API, whose types programs import. */
    private static final List<String> LARGER_PACKAGES = List.of("io/penstock/client");

    private static final int SOURCE_LINES_MAX = 400;
    private static final int FIELDS_MAX = 15;
    private static final int PARAMETERS_MAX = 8;

    /** What is collected, one field for each setting, until the record of these settings is made. */
    private static final List<String> SETTINGS = List.of(
            "io.penstock.broker.BrokerConfig$Builder",
            "io.penstock.client.ClientConfig$Builder",
            "io.penstock.client.SubscribeRequest$Values");

    /** Value types of the published IDL: their private constructors take the fields, whose serialised form is fixed. */
    private static final List<String> PUBLISHED_VALUES =
            List.of("io.penstock.orb.QueryRequest", "io.penstock.orb.SubscribeRequest");

    /** Classes of longer constructors that are not mended yet; none is to be added. */
    private static final List<String> LONGER_CONSTRUCTORS = List.of("io.penstock.broker.shard.match.Replay");

    private static final Pattern LOCK = Pattern.compile("^\\s*(?!\\*|//).*\\bsynchronized\\b");

    /** Texts that clients send are read by I/O agents, which hand over what they have made of them. */
    @Test
    void shouldNotParseOrCompileWhenOnASequencer() {
        noClasses()
                .that()
                .haveNameMatching("io\\.penstock\\.broker\\.shard\\.(match\\.(?!FollowFields$).*|(follow|command)\\..*"
                        + "|state\\.(ShardState|StateOperations|StateTopic)(\\$.*)?|log\\.NameRecords(\\$.*)?"
                        + "|(Shard|ShardCommands|Sequencer|CommandQueue|DisconnectedClients)(\\$.*)?)")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(FilterCompiler.class)
                .orShould()
                .callMethod(FieldSelection.class, "parse", String.class)
                .orShould()
                .callMethod(StateRule.class, "keyFields")
                .orShould()
                .callMethod(Topic.class, "newKeyReader")
                .orShould()
                .callMethod(TopicPattern.class, "regex", String.class)
                .orShould()
                .callConstructor(KeyReader.class, MessageFormat.class, FieldSelection.class)
                .because("all clients of a shard wait for its sequencer")
                .check(Production.CLASSES);
    }

    @Test
    void shouldTakeTimeFromOutsideWhenInTheBroker() {
        noClasses()
                .that()
                .resideInAnyPackage(BROKER, FORMATS)
                .and()
                .resideOutsideOfPackage(CONCURRENT)
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .because("recovery, replicas and tests run the same code on another clock")
                .check(Production.CLASSES);
    }

    @Test
    void shouldTakeRandomnessFromOutsideWhenInTheBroker() {
        noClasses()
                .that()
                .resideInAnyPackage(BROKER, FORMATS)
                .should()
                .dependOnClassesThat()
                .areAssignableTo(java.util.Random.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(ThreadLocalRandom.class)
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(UUID.class, "randomUUID")
                .check(Production.CLASSES);
    }

    @Test
    void shouldReadNoSystemPropertiesOrEnvironmentWhenInTheBrokerOrTheClient() {
        noClasses()
                .that()
                .resideInAnyPackage(BROKER, FORMATS, "io.penstock.client..", "io.penstock.protocol..")
                .should()
                .callMethod(System.class, "getProperty", String.class)
                .orShould()
                .callMethod(System.class, "getProperty", String.class, String.class)
                .orShould()
                .callMethod(System.class, "getenv", String.class)
                .orShould()
                .callMethod(Integer.class, "getInteger", String.class)
                .orShould()
                .callMethod(Boolean.class, "getBoolean", String.class)
                .because("what matters stands in the configuration")
                .check(Production.CLASSES);
    }

    @Test
    void shouldNotWriteToTheConsoleWhenOutsideTheCommandLine() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.penstock.standalone..", "io.penstock.bench..")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(Throwable.class, "printStackTrace")
                .check(Production.CLASSES);
    }

    @Test
    void shouldShareNoVolatileFieldWhenOutsideConcurrent() {
        fields().that()
                .areDeclaredInClassesThat()
                .resideInAnyPackage(BROKER, FORMATS)
                .and()
                .areDeclaredInClassesThat()
                .resideOutsideOfPackage(CONCURRENT)
                .should()
                .notHaveModifier(JavaModifier.VOLATILE)
                .because("agents exchange bytes through rings and commands through proxies")
                .check(Production.CLASSES);
    }

    @Test
    void shouldTakeNoLockWhenInTheBroker() throws IOException {
        final List<String> locks = new ArrayList<>();
        for (final Path source : Production.sources()) {
            final String path = source.toString().replace('\\', '/');
            if ((path.contains("/io/penstock/broker/") && !path.contains("/broker/concurrent/"))
                    || path.contains("/io/penstock/format/")) {
                for (final String line : Files.readAllLines(source)) {
                    if (LOCK.matcher(line).find()) {
                        locks.add(source.getFileName() + ": " + line.strip());
                    }
                }
            }
        }
        assertThat(locks).isEmpty();
        noClasses()
                .that()
                .resideInAnyPackage(BROKER, FORMATS)
                .and()
                .resideOutsideOfPackage(CONCURRENT)
                .should()
                .dependOnClassesThat(
                        resideInAPackage("java.util.concurrent.locks").and(not(equivalentTo(LockSupport.class))))
                .check(Production.CLASSES);
    }

    @Test
    void shouldNotBlockWhenAnAgent() {
        noClasses()
                .that()
                .resideInAnyPackage(BROKER, FORMATS)
                .and()
                .resideOutsideOfPackage(CONCURRENT)
                .and()
                .doNotHaveFullyQualifiedName(BROKER_ITSELF)
                .should()
                .dependOnClassesThat()
                .areAssignableTo(LockSupport.class)
                .because("an agent waits in its transport; only the caller of Broker.drain waits for others")
                .check(Production.CLASSES);
    }

    @Test
    void shouldAskTheAuthorizerInOnePlaceWhenACommandNeedsPermission() {
        assertThat(callers(AUTHORIZER)).as("classes that call the Authorizer").containsExactly(ASKED);
        assertThat(callers(ASKED)).as("classes that have it asked").containsExactly(GATE);
    }

    private static Set<String> callers(final String called) {
        final Set<String> callers = new TreeSet<>();
        for (final JavaClass type : Production.CLASSES) {
            type.getMethodCallsFromSelf().stream()
                    .filter(call -> call.getTargetOwner().getName().equals(called))
                    .filter(call -> !call.getOriginOwner().getName().equals(called))
                    .forEach(
                            call -> callers.add(outermost(call.getOriginOwner()).getName()));
        }
        return callers;
    }

    @Test
    void shouldBeNullMarkedWhenAPackage() {
        final List<String> unmarked = new ArrayList<>();
        for (final JavaPackage each :
                Production.CLASSES.getPackage("io.penstock").getSubpackagesInTree()) {
            if (!each.getClasses().isEmpty()
                    && !each.getName().equals(GENERATED)
                    && !each.getName().startsWith(CONTRACT)
                    && !each.isAnnotatedWith(NullMarked.class)) {
                unmarked.add(each.getName());
            }
        }
        assertThat(unmarked)
                .as("packages without @NullMarked in their package-info")
                .isEmpty();
    }

    @Test
    void shouldStayShortWhenASourceFile() throws IOException {
        final List<String> tooLong = new ArrayList<>();
        for (final Path source : Production.sources()) {
            final int lines = Files.readAllLines(source).size();
            if (lines > SOURCE_LINES_MAX) {
                tooLong.add(source.getFileName() + ": " + lines);
            }
        }
        assertThat(tooLong)
                .as("files longer than " + SOURCE_LINES_MAX + " lines")
                .isEmpty();
    }

    @Test
    void shouldHaveOneFileOfANameWhenInAModule() throws IOException {
        final Map<String, List<Path>> byName = new TreeMap<>();
        for (final Path source : Production.sources()) {
            final String module = source.toString().split("/src/", -1)[0];
            if (!source.endsWith("package-info.java")) {
                byName.computeIfAbsent(module + "/" + source.getFileName(), name -> new ArrayList<>())
                        .add(source);
            }
        }
        byName.values().removeIf(sources -> sources.size() == 1);

        assertThat(byName).as("files of one name in one module").isEmpty();
    }

    @Test
    void shouldBeARoomThatCanBeSurveyedWhenAPackage() throws IOException {
        final Map<Path, Integer> counts = new TreeMap<>();
        for (final Path source : Production.sources()) {
            if (!source.endsWith("package-info.java")) {
                counts.merge(source.getParent(), 1, Integer::sum);
            }
        }
        counts.keySet().removeIf(directory -> LARGER_PACKAGES.stream().anyMatch(directory::endsWith));
        counts.values().removeIf(count -> count <= PACKAGE_FILES_MAX);

        assertThat(counts)
                .as("packages of more than " + PACKAGE_FILES_MAX + " files")
                .isEmpty();
    }

    /** A table of counters has a field for each, and records are looked at by their constructors. */
    @Test
    void shouldHaveFewFieldsWhenAClass() {
        final Map<String, Long> counts = new TreeMap<>();
        for (final JavaClass type : Production.CLASSES) {
            if (!type.isRecord() && !SETTINGS.contains(type.getName())) {
                counts.put(type.getName(), fieldCount(type));
            }
        }
        counts.values().removeIf(count -> count <= FIELDS_MAX);

        assertThat(counts).as("classes of more than " + FIELDS_MAX + " fields").isEmpty();
    }

    /** A record of settings may have as many as it likes if only its own builder calls its constructor. */
    @Test
    void shouldTakeFewParametersWhenAConstructor() {
        final Map<String, Integer> counts = new TreeMap<>();
        for (final JavaClass type : Production.CLASSES) {
            for (final JavaConstructor constructor : type.getConstructors()) {
                final int count = parameterCount(constructor);
                if (count > PARAMETERS_MAX && (!type.isRecord() || isCalledFromOutside(constructor))) {
                    counts.merge(type.getName(), count, Math::max);
                }
            }
        }
        counts.keySet().removeAll(PUBLISHED_VALUES);

        assertThat(counts)
                .as("classes with a constructor of more than " + PARAMETERS_MAX
                        + " parameters; who is under it leaves the list")
                .containsOnlyKeys(LONGER_CONSTRUCTORS);
    }

    private static long fieldCount(final JavaClass type) {
        final List<JavaField> fields = type.getFields().stream()
                .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC)
                        && !field.getModifiers().contains(JavaModifier.SYNTHETIC))
                .toList();
        final boolean areCounters = fields.stream()
                .allMatch(field -> field.getRawType().getBaseComponentType().isEquivalentTo(AtomicCounter.class));
        return areCounters ? 0 : fields.size();
    }

    /** Parameters that stand in the source, not those which the compiler adds. */
    private static int parameterCount(final JavaConstructor constructor) {
        final JavaClass type = constructor.getOwner();
        if (constructor.getModifiers().contains(JavaModifier.SYNTHETIC) || type.isEnum() || type.isAnonymousClass()) {
            return 0;
        }
        final boolean inner = type.isInnerClass() && !type.getModifiers().contains(JavaModifier.STATIC);
        return constructor.getParameters().size() - (inner ? 1 : 0);
    }

    private static boolean isCalledFromOutside(final JavaConstructor constructor) {
        final JavaClass outermost = outermost(constructor.getOwner());
        return constructor.getCallsOfSelf().stream()
                .anyMatch(call -> !outermost(call.getOriginOwner()).equals(outermost));
    }

    private static JavaClass outermost(final JavaClass type) {
        return type.getEnclosingClass().map(CodeRulesTest::outermost).orElse(type);
    }
}
