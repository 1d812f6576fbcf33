package io.penstock.admin.http;

/** A request that cannot be answered as it asks. Has no stack: it is the caller's mistake. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    /** Ends a request with an error. */
    public ProblemException(final int status, final String code, final String detail) {
        super(detail, null, false, false);
        problem = new Problem(status, code, detail);
    }

    /** The error. */
    public Problem problem() {
        return problem;
    }
}
