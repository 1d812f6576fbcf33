package io.penstock.orbs;

import java.util.Properties;
import org.omg.CORBA.ORB;
import org.omg.CORBA.ORBPackage.InvalidName;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;
import org.omg.PortableServer.POAManagerPackage.AdapterInactive;

/** Makes ORBs of GlassFish's runtime. */
public final class GlassfishOrb {
    /** UTF-8 as its own, ISO-8859-1 as well. */
    private static final String CODE_SETS = "0x05010001,0x00010001";

    private static final String PREFIX = "com.sun.corba.ee.";
    private static final String MESSAGE_LENGTH_MAX = String.valueOf(64 * 1024 * 1024);

    private GlassfishOrb() {}

    /**
     * Makes an ORB that talks on loopback.
     *
     * @param port           to listen on; 0 = a free one.
     * @param fragmentLength longest fragment that it sends, and its buffer, in bytes.
     * @return the ORB; its user destroys it.
     */
    public static ORB of(final int port, final int fragmentLength) {
        return ORB.init(new String[0], properties(port, fragmentLength));
    }

    /**
     * What {@link #of} gives the ORB.
     *
     * @param port           to listen on; 0 = a free one.
     * @param fragmentLength longest fragment that it sends, and its buffer, in bytes.
     * @return properties by name.
     */
    public static Properties properties(final int port, final int fragmentLength) {
        final Properties properties = new Properties();
        properties.setProperty("org.omg.CORBA.ORBClass", PREFIX + "impl.orb.ORBImpl");
        properties.setProperty("org.omg.CORBA.ORBSingletonClass", PREFIX + "impl.orb.ORBSingleton");
        properties.setProperty(PREFIX + "ORBServerHost", "127.0.0.1");
        properties.setProperty(PREFIX + "POA.ORBPersistentServerPort", String.valueOf(port));
        properties.setProperty(PREFIX + "codeset.charsets", CODE_SETS);
        properties.setProperty(PREFIX + "giop.ORBFragmentSize", String.valueOf(fragmentLength));
        properties.setProperty(PREFIX + "giop.ORBBufferSize", String.valueOf(fragmentLength));
        // Longer messages than this fail as if the connection were broken.
        properties.setProperty(PREFIX + "transport.ORBMaximumReadByteBufferSize", MESSAGE_LENGTH_MAX);
        return properties;
    }

    /**
     * Has an ORB serve what is activated.
     *
     * @param orb that was just made.
     * @return where servants are activated.
     */
    public static POA serve(final ORB orb) {
        try {
            final POA poa = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
            poa.the_POAManager().activate();
            return poa;
        } catch (final InvalidName | AdapterInactive e) {
            throw new IllegalStateException("the ORB has no place for servants", e);
        }
    }
}
