package io.penstock.format;

/**
 * The operations that the {@link MessageEditor} of a format supports. The methods of other operations are not called;
 * they throw {@link UnsupportedOperationException}.
 *
 * @param canMerge  whether there is {@link MessageEditor#merge}, so that topics take deltas.
 * @param canDiff   whether there is {@link MessageEditor#diff}; without it subscribers get whole messages for deltas.
 * @param canSelect whether there is {@link MessageEditor#select}; without it they get whole messages for parts.
 * @param canCut    whether there is {@link MessageEditor#cut}; without it those from whom fields are hidden get nothing.
 */
public record EditorSupport(boolean canMerge, boolean canDiff, boolean canSelect, boolean canCut) {
    /** An editor that cannot cut. */
    public EditorSupport(final boolean canMerge, final boolean canDiff, final boolean canSelect) {
        this(canMerge, canDiff, canSelect, false);
    }

    /** There is no editor. */
    public static final EditorSupport NONE = new EditorSupport(false, false, false, false);

    /** The editor can do everything. */
    public static final EditorSupport ALL = new EditorSupport(true, true, true, true);
}
