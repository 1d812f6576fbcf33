package io.penstock.standalone.logger;

/** What the JDK finds when anything in the process of the runnable jar asks for a logger. */
public final class LineLoggers extends System.LoggerFinder {
    /** Used by the JDK alone. */
    public LineLoggers() {}

    @Override
    public System.Logger getLogger(final String name, final Module module) {
        return new LineLogger(name);
    }
}
