package io.penstock.standalone;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Says which Penstock this is, and on what it runs. */
public final class Version implements IVersionProvider {
    private static final String RESOURCE = "version.properties";

    /**
     * The version of the build.
     *
     * @return for example {@code 1.2.0}.
     */
    public static String current() {
        try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
            final Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String[] getVersion() {
        return new String[] {"Penstock " + current() + " on Java " + Runtime.version()};
    }
}
