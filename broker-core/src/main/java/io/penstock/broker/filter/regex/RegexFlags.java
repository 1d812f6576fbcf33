package io.penstock.broker.filter.regex;

/**
 * How the following part of a regular expression is read.
 *
 * @param isFolded    {@code i}: without regard to case.
 * @param isMultiLine {@code m}: the anchors are those of lines.
 * @param isDotAll    {@code s}: a dot is also the end of a line.
 */
record RegexFlags(boolean isFolded, boolean isMultiLine, boolean isDotAll) {
    static final RegexFlags NONE = new RegexFlags(false, false, false);

    /** Reads flags up to a colon or a closing bracket, which are left to be read. */
    RegexFlags read(final RegexReader reader) throws RegexException {
        RegexFlags result = this;
        boolean isOn = true;
        while (reader.peek() != ':' && reader.peek() != ')') {
            final int flag = reader.next();
            if (flag == '-' && isOn) {
                isOn = false;
            } else {
                result = result.with(flag, isOn, reader);
            }
        }
        return result;
    }

    private RegexFlags with(final int flag, final boolean isOn, final RegexReader reader) throws RegexException {
        return switch (flag) {
            case 'i' -> new RegexFlags(isOn, isMultiLine, isDotAll);
            case 'm' -> new RegexFlags(isFolded, isOn, isDotAll);
            case 's' -> new RegexFlags(isFolded, isMultiLine, isOn);
            // Which of several matches is preferred makes no difference to whether there is one.
            case 'U' -> this;
            default -> throw reader.refused("no group of that kind");
        };
    }
}
