package io.penstock.system.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import org.junit.jupiter.api.Test;

/** Which module may know which. */
class ModuleRulesTest {
    @Test
    void shouldKnowNoOtherModuleWhenInTransport() {
        noClasses()
                .that()
                .resideInAPackage("io.penstock.transport..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("io.penstock..").and(resideOutsideOfPackage("io.penstock.transport..")))
                .check(Production.CLASSES);
    }

    @Test
    void shouldKnowOnlyTransportWhenInTheClient() {
        noClasses()
                .that()
                .resideInAnyPackage("io.penstock.client..", "io.penstock.protocol..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.penstock.broker..", "io.penstock.standalone.."))
                .check(Production.CLASSES);
    }

    @Test
    void shouldNotKnowTheProgramsAroundItWhenInTheBroker() {
        noClasses()
                .that()
                .resideInAPackage("io.penstock.broker..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.penstock.standalone.."))
                .check(Production.CLASSES);
    }

    @Test
    void shouldNotCompileAgainstAParticularTransportWhenUsingTransports() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.penstock.transport..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.penstock.transport.(*)..")
                .because("ServiceLoader finds a transport by its URI scheme")
                .check(Production.CLASSES);
    }

    @Test
    void shouldNotKnowEachOtherWhenTransportsOrTheSpi() {
        for (final String transport : new String[] {"inproc", "tcp", "ipc"}) {
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
    void shouldUseNettyOnlyWhenInTheTcpTransport() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.penstock.transport.tcp..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..")
                .because("a Netty buffer never leaves the Netty transport")
                .check(Production.CLASSES);
    }

    @Test
    void shouldUseCommandLineAndYamlLibrariesOnlyWhenInTheRunnableJar() {
        classes()
                .that()
                .resideOutsideOfPackage("io.penstock.standalone..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "io.penstock..",
                        "org.agrona..",
                        "org.jspecify..",
                        "io.netty..",
                        "com.google.re2j..",
                        "org.slf4j..",
                        "")
                .check(Production.CLASSES);
    }
}
