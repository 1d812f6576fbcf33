package io.penstock.standalone.logger;

/** The JDK's source of loggers in the process of the runnable jar. */
public final class LineLoggers extends System.LoggerFinder {
    /** Used by the JDK alone. */
    public LineLoggers() {}

    @Override
    public System.Logger getLogger(final String name, final Module module) {
        return new LineLogger(name);
    }
}
