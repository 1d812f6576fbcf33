package io.penstock.broker.shard.match;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;

/** A member with one filter. */
final class TestMember implements Matcher.Member {
    final FilterGroup<TestMember> group;
    boolean isLive = true;
    boolean isAboutBefore = true;
    private int place;

    private TestMember(final FilterGroup<TestMember> group) {
        this.group = group;
    }

    static TestMember add(final Matcher<TestMember> matcher, final String text) {
        return add(matcher, FilterCompiler.compile(text, FilterLimits.DEFAULTS));
    }

    static TestMember add(final Matcher<TestMember> matcher, final Filter filter) {
        final FilterGroup<TestMember> group = matcher.groupOf(filter.text(), filter);
        final TestMember member = new TestMember(group);
        matcher.add(group, member);
        return member;
    }

    @Override
    public int place() {
        return place;
    }

    @Override
    public void place(final int value) {
        place = value;
    }

    @Override
    public boolean wants(final int recordIndex) {
        return isLive && (recordIndex == 0 || isAboutBefore);
    }
}
