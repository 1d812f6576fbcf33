// A CORBA program of somebody else, by omniORB: does everything of the contract once, and ends with "done", or with a line
// that says what was wrong. Arguments: the reference, a topic whose name is text of any kind, and options of omniORB.

#include "Penstock.hh"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <functional>
#include <iostream>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using Penstock::BrokerException;
using Penstock::Bytes;
using Penstock::Deliveries;
using Penstock::Deliveries_var;
using Penstock::Publication;

static const CORBA::Long WAIT_MS = 20000;
static const CORBA::ULong LENGTHS[] = {0, 1, 1024, 65535, 65536, 65537, 1 << 20, 4 << 20, 16 << 20};
static const int THREAD_COUNT = 8;
static const int CALL_COUNT = 50;

static void check(bool isRight, const std::string& what) {
    if (!isRight) {
        throw std::runtime_error("wrong: " + what);
    }
    std::cout << "ok: " << what << std::endl;
}

static Bytes bytes(CORBA::ULong length, unsigned seed) {
    Bytes data;
    data.length(length);
    unsigned state = seed * 2654435761u + 1;
    for (CORBA::ULong i = 0; i < length; i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = static_cast<CORBA::Octet>(state >> 24);
    }
    return data;
}

static bool isEqual(const Bytes& a, const Bytes& b) {
    return a.length() == b.length() && std::equal(a.get_buffer(), a.get_buffer() + a.length(), b.get_buffer());
}

static std::string text(const Bytes& data) {
    return std::string(reinterpret_cast<const char*>(data.get_buffer()), data.length());
}

static Publication publication(const char* topic, const std::string& text) {
    Publication message;
    message.topic = topic;
    message.data.length(text.size());
    std::copy(text.begin(), text.end(), message.data.get_buffer());
    message.key = "";
    message.isDelta = false;
    message.expirationMs = 0;
    return message;
}

static Penstock::SubscribeRequest subscribeRequest(const char* topic, const char* filter, const char* name) {
    Penstock::SubscribeRequest request;
    request.topic = topic;
    request.isPattern = false;
    request.filter = filter;
    request.start = "";
    request.name = name;
    request.isSow = false;
    request.isOof = false;
    request.isDelta = false;
    request.leaseMs = 0;
    return request;
}

static Penstock::Credentials credentials(const char* name, const char* user, const char* password) {
    Penstock::Credentials who;
    who.name = name;
    who.user = user;
    who.password = password;
    return who;
}

static void checkBytes(Penstock::PenstockBroker_ptr broker) {
    CORBA::LongLong subscription = broker->subscribe(subscribeRequest("bytes", "", ""));
    for (CORBA::ULong length : LENGTHS) {
        Publication message = publication("bytes", "");
        message.data = bytes(length, length);
        broker->publish(message, false);
        Deliveries_var taken = broker->next(subscription, 10, WAIT_MS);
        check(taken->length() == 1 && isEqual(taken[0].data, message.data), "taken " + std::to_string(length));
        Penstock::Bytes_var echoed = broker->echo(message.data);
        check(isEqual(echoed.in(), message.data), "echoed " + std::to_string(length));
    }
    Deliveries_var none = broker->next(subscription, 10, 0);
    check(none->length() == 0, "nothing left");
    broker->unsubscribe(subscription);
}

// Headers there and back.
static void checkHeaders(Penstock::PenstockBroker_ptr broker) {
    CORBA::LongLong subscription = broker->subscribe(subscribeRequest("foreign-headers", "HEADER('hops') = 7", ""));
    Penstock::HeaderList headers;
    headers.length(2);
    headers[0].name = "region";
    headers[0].type = Penstock::TEXT_VALUE;
    headers[0].text = "north";
    headers[0].number = 0;
    headers[1].name = "hops";
    headers[1].type = Penstock::NUMBER_VALUE;
    headers[1].text = "";
    headers[1].number = 7;
    broker->publishWithHeaders(publication("foreign-headers", "{}"), headers, false);
    Penstock::DeliveriesWithHeaders_var taken = broker->nextWithHeaders(subscription, 10, WAIT_MS);
    check(taken->length() == 1 && taken[0].headers.length() == 2, "taken with headers");
    check(std::string(taken[0].headers[0].text.in()) == "north" && taken[0].headers[1].number == 7, "headers");

    Penstock::PublicationsWithHeaders batch;
    batch.length(3);
    for (CORBA::ULong n = 0; n < batch.length(); n++) {
        batch[n].message = publication("foreign-headers", "{\"n\":" + std::to_string(n) + "}");
    }
    batch[0].headers.length(1);
    batch[0].headers[0] = headers[1];
    batch[2].headers = headers;
    broker->publishBatchWithHeaders(batch, false);
    std::string found;
    while (found.size() < 16) {
        taken = broker->nextWithHeaders(subscription, 1, WAIT_MS);
        check(taken->length() == 1, "one taken");
        found += text(taken[0].message.data) + std::to_string(taken[0].headers.length());
    }
    check(found == "{\"n\":0}1{\"n\":2}2", "batch with headers: " + found);
    broker->unsubscribe(subscription);
}

// Keeps what comes.
class Recorder : public POA_Penstock::MessageListener {
public:
    void onMessages(CORBA::LongLong, const Deliveries& messages) override {
        std::lock_guard<std::mutex> guard(mutex);
        for (CORBA::ULong i = 0; i < messages.length(); i++) {
            texts.push_back(text(messages[i].data));
        }
        changed.notify_all();
    }

    void onEnd(CORBA::LongLong, CORBA::Long, const char* name, const char*) override {
        std::lock_guard<std::mutex> guard(mutex);
        texts.push_back(name);
        changed.notify_all();
    }

    std::string take() {
        std::unique_lock<std::mutex> lock(mutex);
        if (!changed.wait_for(lock, std::chrono::milliseconds(WAIT_MS), [this] { return !texts.empty(); })) {
            return "nothing in time";
        }
        std::string first = texts.front();
        texts.pop_front();
        return first;
    }

private:
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::string> texts;
};

static void checkCallbacks(CORBA::ORB_ptr orb, Penstock::PenstockBroker_ptr broker) {
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    Recorder* recorder = new Recorder();
    PortableServer::ServantBase_var held = recorder;
    PortableServer::ObjectId_var id = poa->activate_object(recorder);
    Penstock::MessageListener_var listener = recorder->_this();

    CORBA::LongLong subscription =
        broker->subscribeWithCallback(subscribeRequest("foreign", "n > 1", ""), listener);
    Penstock::Publications batch;
    batch.length(5);
    for (int n = 0; n < 5; n++) {
        batch[n] = publication("foreign", "{\"n\":" + std::to_string(n) + "}");
    }
    broker->publishBatch(batch, false);
    for (int n = 2; n < 5; n++) {
        std::string came = recorder->take();
        check(came == "{\"n\":" + std::to_string(n) + "}", "called for " + came);
    }
    std::string large = "{\"n\":5,\"s\":\"" + std::string(1 << 20, 'x') + "\"}";
    broker->publish(publication("foreign", large), false);
    check(recorder->take() == large, "called for 1 MiB");
    broker->unsubscribe(subscription);
    poa->deactivate_object(id);
}

static void checkQuery(Penstock::PenstockBroker_ptr broker) {
    for (int id = 0; id < 10; id++) {
        broker->publish(publication("foreign-state", "{\"id\":" + std::to_string(id) + "}"), false);
    }
    Penstock::QueryRequest request;
    request.topic = "foreign-state";
    request.isPattern = false;
    request.filter = "id > 4";
    request.select = request.groupBy = request.having = "";
    request.orderBy = "id";
    request.top = -1;
    request.skip = 0;
    CORBA::LongLong query = broker->query(request);
    std::string found;
    Penstock::QueryPage_var page;
    do {
        page = broker->fetch(query, 2, WAIT_MS);
        for (CORBA::ULong i = 0; i < page->records.length(); i++) {
            check(page->records[i].kind == Penstock::STATE, "is state");
            found += text(page->records[i].data);
        }
    } while (!page->isComplete);
    check(found == "{\"id\":5}{\"id\":6}{\"id\":7}{\"id\":8}{\"id\":9}", "found " + found);
    broker->closeQuery(query);
}

// Text of any kind, numbers of 64 bits, and a name that remembers.
static void checkNames(Penstock::PenstockBroker_ptr broker, const char* topic) {
    Penstock::SubscribeRequest named = subscribeRequest(topic, "", "foreign-name");
    CORBA::LongLong first = broker->subscribe(named);
    broker->publish(publication(topic, "{\"n\":1}"), false);
    broker->publish(publication(topic, "{\"n\":2}"), false);
    Deliveries_var one = broker->next(first, 1, WAIT_MS);
    check(one->length() == 1 && std::string(one[0].topic) == topic, "topic " + std::string(one[0].topic));
    check(one[0].timestampNs > 1600000000000000000LL && one[0].sequence > 0, "time and sequence");
    std::ostringstream bookmark;
    bookmark << one[0].shard << ":" << one[0].sequence;
    broker->acknowledge(first, bookmark.str().c_str());
    broker->unsubscribe(first);

    CORBA::LongLong second = broker->subscribe(named);
    Deliveries_var next = broker->next(second, 1, WAIT_MS);
    check(next->length() == 1 && text(next[0].data) == "{\"n\":2}", "goes on after the acknowledged one");
    broker->unsubscribe(second);
    broker->forget("foreign-name");
}

static void checkRefused(const char* name, CORBA::Long code, const std::function<void()>& call) {
    try {
        call();
    } catch (const BrokerException& e) {
        check(std::string(e.name) == name && e.code == code && std::string(e.text) != "",
              std::string(e.name) + " " + std::to_string(e.code) + ": " + std::string(e.text));
        return;
    }
    throw std::runtime_error(std::string("was not refused: ") + name);
}

static void checkRefusals(Penstock::PenstockBroker_ptr guest, Penstock::PenstockBroker_ptr session) {
    checkRefused("BAD_FILTER", 9, [&] { session->subscribe(subscribeRequest("x", "a >", "")); });
    checkRefused("UNKNOWN_SUBSCRIPTION", 14, [&] { delete session->next(12345, 1, 0); });
    checkRefused("MESSAGE_TOO_LONG", 11, [&] { delete session->echo(bytes((16 << 20) + 1, 1)); });
    checkRefused("AUTHENTICATION_FAILED", 5, [&] { CORBA::release(guest->logon(credentials("x", "ann", "wrong"))); });
    checkRefused("NOT_SUPPORTED", 20, [&] { guest->logoff(); });
    try {
        session->logoff();
        delete session->echo(bytes(1, 1));
    } catch (const BrokerException& e) {
        check(std::string(e.name) == "NOT_LOGGED_ON", "refused after logoff by " + std::string(e.name));
        return;
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
        std::cout << "ok: refused after logoff" << std::endl;
        return;
    }
    throw std::runtime_error("was not refused after logoff");
}

static void checkThreads(Penstock::PenstockBroker_ptr broker) {
    std::atomic<int> wrongCount{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < THREAD_COUNT; t++) {
        threads.emplace_back([&, t] {
            try {
                for (int n = 0; n < CALL_COUNT; n++) {
                    Bytes data = bytes(LENGTHS[(t + n) % 7], t * CALL_COUNT + n);
                    Penstock::Bytes_var echoed = broker->echo(data);
                    wrongCount += isEqual(echoed.in(), data) ? 0 : 1;
                }
            } catch (const CORBA::Exception& e) {
                std::cout << std::string("failed: ") + e._name() + "\n" << std::flush;
                wrongCount++;
            }
        });
    }
    for (std::thread& each : threads) {
        each.join();
    }
    check(wrongCount == 0, "echoed to " + std::to_string(THREAD_COUNT) + " threads");
}

static void run(CORBA::ORB_ptr orb, const char* reference, const char* topic) {
    CORBA::Object_var object = orb->string_to_object(reference);
    check(object->_is_a("IDL:Penstock/PenstockBroker:1.0"), "is a PenstockBroker");
    check(!object->_is_a("IDL:Penstock/MessageListener:1.0"), "is no MessageListener");
    check(!object->_non_existent(), "exists");
    Penstock::PenstockBroker_var guest = Penstock::PenstockBroker::_narrow(object);
    checkBytes(guest);
    checkThreads(guest);
    Penstock::PenstockBroker_var session = guest->logon(credentials("foreign", "ann", "a"));
    checkCallbacks(orb, session);
    checkHeaders(session);
    checkQuery(session);
    checkNames(session, topic);
    checkRefusals(guest, session);
}

int main(int argc, char** argv) {
    const char* options[][2] = {
        {"nativeCharCodeSet", "UTF-8"},
        {"giopMaxMsgSize", "67108864"},
        {"endPoint", "giop:tcp:127.0.0.1:"},
        {nullptr, nullptr},
    };
    try {
        CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, "omniORB4", options);
        if (argc < 3) {
            throw std::runtime_error("usage: check REFERENCE TOPIC [options of omniORB]");
        }
        run(orb, argv[1], argv[2]);
        orb->destroy();
        std::cout << "done" << std::endl;
        return 0;
    } catch (const BrokerException& e) {
        std::cout << "refused: " << e.name << " (" << e.code << "): " << e.text << std::endl;
    } catch (const CORBA::SystemException& e) {
        std::cout << "failed: " << e._name() << " " << e.NP_minorString() << std::endl;
    } catch (const std::exception& e) {
        std::cout << e.what() << std::endl;
    }
    std::_Exit(1);
}
