package io.penstock.admin.metrics;

import io.penstock.broker.Broker;
import io.penstock.broker.concurrent.LatencyHistogram;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ObjectName;
import javax.management.ReflectionException;

/**
 * The broker's counters, and how long its work takes, as attributes of an MBean, which can only be read. Safe on any
 * thread.
 */
public final class CountersBean implements DynamicMBean, AutoCloseable {
    private final Broker broker;
    private final ObjectName name;

    private CountersBean(final Broker broker, final ObjectName name) {
        this.broker = broker;
        this.name = name;
    }

    /**
     * Shows the counters of a broker in the process's MBean server.
     *
     * @param broker of which.
     * @return the bean; closing it removes it.
     */
    public static CountersBean register(final Broker broker) {
        try {
            final ObjectName name = new ObjectName("io.penstock:type=Broker,name="
                    + ObjectName.quote(broker.endpoints().toString()));
            final CountersBean bean = new CountersBean(broker, name);
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
            return bean;
        } catch (final JMException e) {
            throw new IllegalStateException("admin.jmx: cannot be registered: " + e.getMessage(), e);
        }
    }

    /** The name that it is found by. */
    public ObjectName name() {
        return name;
    }

    private Map<String, Long> values() {
        final Map<String, Long> values = new TreeMap<>();
        broker.counters().forEach((value, id, label) -> values.put(label, value));
        for (final LatencyHistogram.Snapshot each : broker.histograms()) {
            final String name = each.owner() + "." + each.name();
            values.put(name + "Count", each.count());
            values.put(name + "P50Us", microseconds(each, 0.5));
            values.put(name + "P99Us", microseconds(each, 0.99));
            values.put(name + "P999Us", microseconds(each, 0.999));
        }
        return values;
    }

    private static long microseconds(final LatencyHistogram.Snapshot times, final double share) {
        return TimeUnit.NANOSECONDS.toMicros(times.percentileNs(share));
    }

    @Override
    public Object getAttribute(final String attribute) throws AttributeNotFoundException {
        final Long value = values().get(attribute);
        if (value == null) {
            throw new AttributeNotFoundException("counters: no such one: " + attribute);
        }
        return value;
    }

    @Override
    public AttributeList getAttributes(final String[] attributes) {
        final AttributeList list = new AttributeList();
        final Map<String, Long> values = values();
        for (final String attribute : attributes) {
            final Long value = values.get(attribute);
            if (value != null) {
                list.add(new Attribute(attribute, value));
            }
        }
        return list;
    }

    @Override
    public void setAttribute(final Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException("counters: can only be read: " + attribute.getName());
    }

    @Override
    public AttributeList setAttributes(final AttributeList attributes) {
        return new AttributeList();
    }

    @Override
    public Object invoke(final String action, final Object[] arguments, final String[] signature)
            throws ReflectionException {
        throw new ReflectionException(new NoSuchMethodException(action), "counters: can only be read");
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        final MBeanAttributeInfo[] attributes = values().keySet().stream()
                .map(label -> new MBeanAttributeInfo(label, "long", label, true, false, false))
                .toArray(MBeanAttributeInfo[]::new);
        return new MBeanInfo(CountersBean.class.getName(), "Counters of a broker", attributes, null, null, null);
    }

    @Override
    public void close() throws JMException {
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    }
}
