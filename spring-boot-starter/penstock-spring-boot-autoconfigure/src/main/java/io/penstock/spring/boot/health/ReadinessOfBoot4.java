package io.penstock.spring.boot.health;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.health.actuate.endpoint.AdditionalHealthEndpointPath;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.actuate.endpoint.HttpCodeStatusMapper;
import org.springframework.boot.health.actuate.endpoint.StatusAggregator;

/** Adds to the members of the group readiness, by the names of Boot 4. */
final class ReadinessOfBoot4 implements HealthEndpointGroupsPostProcessor {
    private final Set<String> members;

    ReadinessOfBoot4(final Set<String> members) {
        this.members = members;
    }

    @Override
    public HealthEndpointGroups postProcessHealthEndpointGroups(final HealthEndpointGroups groups) {
        final HealthEndpointGroup readiness = groups.get(ReadinessMembers.GROUP);
        return readiness == null || members.isEmpty() ? groups : new Groups(groups, new Group(readiness, members));
    }

    private record Groups(HealthEndpointGroups groups, HealthEndpointGroup readiness) implements HealthEndpointGroups {
        @Override
        public HealthEndpointGroup getPrimary() {
            return groups.getPrimary();
        }

        @Override
        public Set<String> getNames() {
            return groups.getNames();
        }

        @Override
        public @Nullable HealthEndpointGroup get(final String name) {
            return name.equals(ReadinessMembers.GROUP) ? readiness : groups.get(name);
        }
    }

    private record Group(HealthEndpointGroup group, Set<String> members) implements HealthEndpointGroup {
        @Override
        public boolean isMember(final String name) {
            return members.contains(name) || group.isMember(name);
        }

        @Override
        public boolean showComponents(final SecurityContext securityContext) {
            return group.showComponents(securityContext);
        }

        @Override
        public boolean showDetails(final SecurityContext securityContext) {
            return group.showDetails(securityContext);
        }

        @Override
        public StatusAggregator getStatusAggregator() {
            return group.getStatusAggregator();
        }

        @Override
        public HttpCodeStatusMapper getHttpCodeStatusMapper() {
            return group.getHttpCodeStatusMapper();
        }

        @Override
        public @Nullable AdditionalHealthEndpointPath getAdditionalPath() {
            return group.getAdditionalPath();
        }
    }
}
