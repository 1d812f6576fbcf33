package io.penstock.system.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The code that users get, compiled and as sources. */
final class Production {
    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("test-session"))
            .importPackages("io.penstock");

    private static final List<String> MODULES = List.of(
            "native",
            "transport",
            "transport-rdma",
            "transport-sdp",
            "message-format",
            "broker-client",
            "broker-core",
            "broker-cluster",
            "orb-bridge-client",
            "orb-bridge",
            "orb-bridge-rmi-iiop",
            "broker-admin",
            "broker-standalone",
            "benchmarks",
            "spring-boot-starter/penstock-spring",
            "spring-boot-starter/penstock-spring-boot-autoconfigure",
            "spring-boot-starter/penstock-spring-boot-starter-test");

    private Production() {}

    static List<Path> sources() throws IOException {
        final List<Path> sources = new java.util.ArrayList<>();
        for (final String module : MODULES) {
            final Path root = Path.of("..", "..", module, "src", "main", "java");
            try (Stream<Path> files = Files.walk(root)) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }
}
