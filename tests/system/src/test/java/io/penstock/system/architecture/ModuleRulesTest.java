package io.penstock.system.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaModifier;
import io.penstock.transport.RequiredFlags;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which module may know which. */
@Tag("one-jdk")
class ModuleRulesTest {
    private static final String NATIVE = "io.penstock.nativeaccess..";

    /** Headers are no part of a message in its format. */
    private static final String HEADERS = "io.penstock.format.header..";

    /** Of the module of transports, and of use to those above it, too. */
    private static final String FILE = "io.penstock.file..";

    private static final String STANDALONE = "io.penstock.standalone..";
    private static final String BENCHMARKS = "io.penstock.bench..";
    private static final String SPRING = "io.penstock.spring..";

    /** What may call the native library: modules of their own, which need it, and shared memory, which can do without. */
    private static final String[] NATIVE_TRANSPORTS = {
        "io.penstock.transport.ipc..",
        "io.penstock.transport.rdma..",
        "io.penstock.transport.rsocket..",
        "io.penstock.transport.smc..",
        "io.penstock.transport.sdp..",
    };

    @Test
    void shouldKnowNoOtherModuleWhenTheNativeLibrary() {
        noClasses()
                .that()
                .resideInAPackage(NATIVE)
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.penstock..").and(resideOutsideOfPackage(NATIVE)))
                .check(Production.CLASSES);
    }

    /** The rest of the code runs without it, on any system. */
    @Test
    void shouldCallNativeMethodsOnlyWhenTheNativeLibrary() {
        noMethods()
                .that()
                .areDeclaredInClassesThat()
                .resideOutsideOfPackage(NATIVE)
                .should()
                .haveModifier(JavaModifier.NATIVE)
                .check(Production.CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage(NATIVE)
                .should()
                .callMethod(System.class, "load", String.class)
                .orShould()
                .callMethod(System.class, "loadLibrary", String.class)
                .check(Production.CLASSES);
    }

    @Test
    void shouldKnowNoOtherModuleWhenInTransport() {
        noClasses()
                .that()
                .resideInAPackage("io.penstock.transport..")
                .and()
                .resideOutsideOfPackages(NATIVE_TRANSPORTS)
                .and()
                // It asks the native library for what a flag would allow.
                .doNotBelongToAnyOf(RequiredFlags.class)
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.penstock..")
                        .and(resideOutsideOfPackages("io.penstock.transport..", FILE)))
                .check(Production.CLASSES);
        noClasses()
                .that()
                .resideInAnyPackage(NATIVE_TRANSPORTS)
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.penstock..")
                        .and(resideOutsideOfPackages("io.penstock.transport..", FILE, NATIVE)))
                .check(Production.CLASSES);
    }

    @Test
    void shouldKnowOnlyTransportsAndFormatsWhenInTheClient() {
        noClasses()
                .that()
                .resideInAnyPackage("io.penstock.client..", "io.penstock.protocol..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.penstock.broker..", STANDALONE, BENCHMARKS))
                .check(Production.CLASSES);
    }

    @Test
    void shouldNotKnowTheProgramsAroundItWhenInTheBroker() {
        noClasses()
                .that()
                .resideInAPackage("io.penstock.broker..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(STANDALONE, BENCHMARKS))
                .check(Production.CLASSES);
    }

    /** The broker can be embedded without it. */
    @Test
    void shouldNotKnowTheAdminServerWhenBelowIt() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.penstock.broker..",
                        "io.penstock.client..",
                        "io.penstock.bridge..",
                        "io.penstock.transport..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.penstock.admin..")
                .check(Production.CLASSES);
        noClasses()
                .that()
                .resideInAPackage("io.penstock.admin.http..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("io.penstock..").and(resideOutsideOfPackage("io.penstock.admin.http..")))
                .because("it is HTTP, for whatever is served")
                .check(Production.CLASSES);
    }

    /** A broker that is alone needs nothing of it, and nothing else knows what makes the order. */
    @Test
    void shouldNotKnowTheClusterWhenBelowIt() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.penstock.cluster..", STANDALONE, BENCHMARKS)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.penstock.cluster..")
                .check(Production.CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage("io.penstock.cluster..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.aeron..")
                .check(Production.CLASSES);
        noClasses()
                .that()
                .resideInAPackage("io.penstock.cluster..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.penstock..")
                        .and(resideOutsideOfPackages("io.penstock.cluster..", "io.penstock.broker..", FILE)))
                .check(Production.CLASSES);
    }

    /** The runnable jar works without them. */
    @Test
    void shouldNotKnowTheBenchmarksWhenTheCommandLine() {
        noClasses()
                .that()
                .resideInAPackage(STANDALONE)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(BENCHMARKS)
                .check(Production.CLASSES);
    }

    @Test
    void shouldKnowTheClientAndNotTheBrokerWhenTheBridge() {
        noClasses()
                .that()
                .resideInAnyPackage("io.penstock.bridge..", "io.penstock.orb..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("io.penstock.broker..", "io.penstock.format..", STANDALONE, BENCHMARKS)
                                .and(resideOutsideOfPackage("io.penstock.format.header")))
                .because("of a format it knows what the client's own interface has")
                .check(Production.CLASSES);
        noClasses()
                .that()
                .resideInAPackage("io.penstock.orb..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("io.penstock..").and(resideOutsideOfPackage("io.penstock.orb..")))
                .check(Production.CLASSES);
    }

    /** What starts a broker in a program is in the modules for Spring Boot. */
    @Test
    void shouldKnowTheClientAndNotTheBrokerWhenTheModuleForSpring() {
        noClasses()
                .that()
                .resideInAPackage("io.penstock.spring..")
                .and()
                .resideOutsideOfPackage("io.penstock.spring.boot..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "io.penstock.broker..",
                                "io.penstock.format..",
                                "org.springframework.boot..",
                                STANDALONE,
                                BENCHMARKS)
                        .and(resideOutsideOfPackage("io.penstock.format.header")))
                .check(Production.CLASSES);
        slices().matching("io.penstock.spring.(*)..").should().beFreeOfCycles().check(Production.CLASSES);
    }

    /** All front ends stand on the same service. */
    @Test
    void shouldKnowNoFrontEndWhenTheServiceOfTheBridge() {
        noClasses()
                .that()
                .resideInAPackage("io.penstock.bridge.service..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.rmi..",
                        "io.penstock.bridge.rmi..",
                        "io.penstock.bridge.giop..",
                        "io.penstock.bridge.iiop..")
                .check(Production.CLASSES);
    }

    /** Configuration at the bottom, then the service, then the front ends; what launches them stands on all. */
    @Test
    void shouldHaveNoCyclesWhenPackagesOfTheBridge() {
        slices().matching("io.penstock.bridge.(*)..").should().beFreeOfCycles().check(Production.CLASSES);
        noClasses()
                .that()
                .resideInAPackage("io.penstock.bridge.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.penstock.bridge")
                .check(Production.CLASSES);
    }

    /** A codec, for whatever is called. */
    @Test
    void shouldKnowNothingOfTheBridgeWhenItsCodecOfGiop() {
        noClasses()
                .that()
                .resideInAPackage("io.penstock.bridge.giop..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("io.penstock..").and(resideOutsideOfPackage("io.penstock.bridge.giop..")))
                .check(Production.CLASSES);
    }

    @Test
    void shouldNotCompileAgainstAParticularTransportWhenUsingTransports() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.penstock.transport..")
                .should()
                .dependOnClassesThat(resideInAPackage("io.penstock.transport.(*)..")
                        .and(resideOutsideOfPackage("io.penstock.transport.tls")))
                .because("ServiceLoader finds a transport by its URI scheme; what TLS needs is for all of them")
                .check(Production.CLASSES);
    }

    @Test
    void shouldKnowNoOtherModuleWhenAMessageFormat() {
        noClasses()
                .that()
                .resideInAPackage("io.penstock.format..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("io.penstock..").and(resideOutsideOfPackage("io.penstock.format..")))
                .check(Production.CLASSES);
    }

    @Test
    void shouldNotCompileAgainstAParticularFormatWhenUsingFormats() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.penstock.format.(*)..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("io.penstock.format.(*)..").and(resideOutsideOfPackage(HEADERS)))
                .because("ServiceLoader finds a format by its name")
                .check(Production.CLASSES);
    }

    @Test
    void shouldNotKnowEachOtherWhenFormats() {
        for (final String format : new String[] {"binary", "json"}) {
            noClasses()
                    .that()
                    .resideInAPackage("io.penstock.format..")
                    .and()
                    .resideOutsideOfPackage("io.penstock.format." + format + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.penstock.format." + format + "..")
                    .check(Production.CLASSES);
        }
    }

    @Test
    void shouldNotKnowEachOtherWhenTransportsOrTheSpi() {
        for (final String transport : new String[] {"inproc", "tcp", "ipc", "rdma", "rsocket", "smc", "sdp"}) {
            noClasses()
                    .that()
                    .resideInAPackage("io.penstock.transport..")
                    .and()
                    .resideOutsideOfPackage("io.penstock.transport." + transport + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.penstock.transport." + transport + "..")
                    .check(Production.CLASSES);
        }
    }

    @Test
    void shouldUseNettyOnlyWhenSocketsAreOnEpollOrCarryGiop() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.penstock.transport.stream.epoll..",
                        "io.penstock.transport.tls.openssl..",
                        "io.penstock.bridge.giop..",
                        "io.penstock.bridge.iiop..",
                        "io.penstock.admin..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..")
                .because("a Netty buffer never leaves the Netty transport")
                .check(Production.CLASSES);
    }

    @Test
    void shouldUseDisniOnlyWhenInItsProviderOfVerbs() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.penstock.transport.rdma.disni..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.ibm.disni..")
                .check(Production.CLASSES);
    }

    @Test
    void shouldUseCommandLineAndYamlLibrariesOnlyWhenInTheRunnableJar() {
        classes()
                .that()
                .resideOutsideOfPackages(STANDALONE, BENCHMARKS, SPRING)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "jdk.net..",
                        "javax.crypto..",
                        "javax.management..",
                        "javax.net..",
                        "javax.rmi..",
                        "javax.security..",
                        "io.penstock..",
                        "org.agrona..",
                        "org.jspecify..",
                        "io.netty..",
                        "io.aeron..",
                        "com.ibm.disni..",
                        "com.google.re2j..",
                        "org.slf4j..",
                        "com.fasterxml.jackson.core..",
                        "")
                .check(Production.CLASSES);
    }
}
