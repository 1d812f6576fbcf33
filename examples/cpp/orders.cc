// A CORBA client of Penstock's bridge, by omniORB. It publishes orders, takes those that match, is called for them, and
// asks for the last order of each symbol.
//
//     ./penstock serve examples/cpp/orders.yaml
//     make -C examples/cpp && examples/target/cpp/orders corbaloc:iiop:1.2@127.0.0.1:2809/PenstockBroker

#include "Penstock.hh"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <string>

static const CORBA::Long WAIT_MS = 5000;

static std::string text(const Penstock::Bytes& bytes) {
    return std::string(reinterpret_cast<const char*>(bytes.get_buffer()), bytes.length());
}

static Penstock::Publication publication(const char* topic, const std::string& text) {
    Penstock::Publication message;
    message.topic = topic;
    message.data.length(text.size());
    std::copy(text.begin(), text.end(), message.data.get_buffer());
    message.key = "";           // It is in the message's fields.
    message.isDelta = false;    // The message is the whole record.
    message.expirationMs = 0;   // As the topic has it.
    return message;
}

// Everything empty: new messages, as they come, for the bridge's lease.
static Penstock::SubscribeRequest subscribeRequest(const char* topic, const char* filter) {
    Penstock::SubscribeRequest request;
    request.topic = topic;
    request.isPattern = false;
    request.filter = filter;
    request.start = "";
    request.name = "";
    request.isSow = false;
    request.isOof = false;
    request.isDelta = false;
    request.leaseMs = 0;
    return request;
}

// Whole records, in the order of the key.
static Penstock::QueryRequest queryRequest(const char* topic, const char* filter) {
    Penstock::QueryRequest request;
    request.topic = topic;
    request.isPattern = false;
    request.filter = filter;
    request.select = "";
    request.groupBy = "";
    request.having = "";
    request.orderBy = "symbol";
    request.top = -1;
    request.skip = 0;
    return request;
}

// Is called by the bridge, on a thread of the ORB. A call without messages asks whether this client is there.
class Printer : public POA_Penstock::MessageListener {
public:
    void onMessages(CORBA::LongLong, const Penstock::Deliveries& messages) override {
        std::lock_guard<std::mutex> guard(mutex);
        for (CORBA::ULong i = 0; i < messages.length(); i++) {
            std::cout << "called: " << text(messages[i].data) << std::endl;
            count++;
        }
        changed.notify_all();
    }

    void onEnd(CORBA::LongLong, CORBA::Long, const char* name, const char* reason) override {
        std::lock_guard<std::mutex> guard(mutex);
        std::cout << "ended: " << name << ": " << reason << std::endl;
    }

    bool await(int expected) {
        std::unique_lock<std::mutex> lock(mutex);
        return changed.wait_for(lock, std::chrono::milliseconds(WAIT_MS), [&] { return count >= expected; });
    }

private:
    std::mutex mutex;
    std::condition_variable changed;
    int count = 0;
};

static Penstock::MessageListener_ptr activate(CORBA::ORB_ptr orb, Printer* printer) {
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::ObjectId_var id = poa->activate_object(printer);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    return printer->_this();
}

static void run(CORBA::ORB_ptr orb, Penstock::PenstockBroker_ptr broker) {
    Printer* printer = new Printer();
    PortableServer::ServantBase_var held = printer;
    Penstock::MessageListener_var listener = activate(orb, printer);
    Penstock::SubscribeRequest matching = subscribeRequest("orders", "price > 100");
    CORBA::LongLong called = broker->subscribeWithCallback(matching, listener);
    CORBA::LongLong taken = broker->subscribe(matching);

    broker->publish(publication("orders", "{\"symbol\": \"IBM\", \"price\": 101.5}"), false);
    Penstock::Publications batch;
    batch.length(2);
    batch[0] = publication("orders", "{\"symbol\": \"IBM\", \"price\": 99.5}");
    batch[1] = publication("orders", "{\"symbol\": \"SAP\", \"price\": 120.25}");
    broker->publishBatch(batch, false);

    for (CORBA::ULong count = 0; count < 2;) {
        Penstock::Deliveries_var messages = broker->next(taken, 10, WAIT_MS);
        for (CORBA::ULong i = 0; i < messages->length(); i++) {
            std::cout << "taken: " << text(messages[i].data) << std::endl;
        }
        count = messages->length() == 0 ? 2 : count + messages->length();
    }
    if (!printer->await(2)) {
        std::cout << "not called in time" << std::endl;
    }
    broker->unsubscribe(called);
    broker->unsubscribe(taken);

    CORBA::LongLong query = broker->query(queryRequest("orders", "price > 50"));
    Penstock::QueryPage_var page;
    do {
        page = broker->fetch(query, 100, WAIT_MS);
        for (CORBA::ULong i = 0; i < page->records.length(); i++) {
            std::cout << "found: " << text(page->records[i].data) << std::endl;
        }
    } while (!page->isComplete);
}

int main(int argc, char** argv) {
    // Strings are UTF-8, and messages may be longer than omniORB takes by itself. The bridge calls clients of its own
    // machine only by a loopback address; one elsewhere leaves the end point out.
    const char* options[][2] = {
        {"nativeCharCodeSet", "UTF-8"},
        {"giopMaxMsgSize", "67108864"},
        {"endPoint", "giop:tcp:127.0.0.1:"},
        {nullptr, nullptr},
    };
    int status = 1;
    try {
        CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, "omniORB4", options);
        CORBA::Object_var object =
            orb->string_to_object(argc > 1 ? argv[1] : "corbaloc:iiop:1.2@127.0.0.1:2809/PenstockBroker");
        Penstock::PenstockBroker_var broker = Penstock::PenstockBroker::_narrow(object);
        run(orb, broker);
        orb->destroy();
        status = 0;
    } catch (const Penstock::BrokerException& e) {
        std::cerr << "refused: " << e.name << " (" << e.code << "): " << e.text << std::endl;
    } catch (const CORBA::Exception& e) {
        std::cerr << "failed: " << e._name() << std::endl;
    }
    return status;
}
