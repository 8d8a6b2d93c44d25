// Addresses of resources as importers give them, on Linux and on Windows.

#include "fmu/resources.hpp"

#include <catch2/catch.hpp>

using tenon::fmu::path_of_native;
using tenon::fmu::path_of_uri;

TEST_CASE("the address of resources is a path on Linux") {
    for (const char* uri :
         {"file:///a/b", "file:/a/b", "file://localhost/a/b", "file:////a/b", "file:///a/b/", "/a/b"}) {
        INFO(uri);
        CHECK(path_of_uri(uri, false) == "/a/b");
        CHECK(path_of_native(uri, false) == "/a/b");
    }
    CHECK(path_of_uri("file:///a%20b/gr%C3%B6%c3%9fer", false) == "/a b/größer");
    CHECK(path_of_native("/a%20b", false) == "/a%20b"); // a native path has no escapes
    CHECK(path_of_uri("file:///C:/a", false) == "/C:/a");
    CHECK(path_of_uri("http://x/a", false).empty());
    CHECK(path_of_uri(nullptr, false).empty());
}

TEST_CASE("the address of resources is a path with its drive on Windows") {
    for (const char* uri : {"file:///C:/a b/x", "file:/C:/a%20b/x", "file://localhost/C:/a%20b/x/",
                            "file:////C:/a%20b/x", "file://C:/a%20b/x", "file:///C%3A/a%20b/x",
                            "file:///C|/a%20b/x", "file:///C:\\a b\\x", "C:\\a b\\x", "C:/a b/x/"}) {
        INFO(uri);
        CHECK(path_of_uri(uri, true) == "C:/a b/x");
        CHECK(path_of_native(uri, true) == "C:/a b/x");
    }
    CHECK(path_of_uri("file:///Z:/gr%C3%B6%c3%9fer", true) == "Z:/größer");
    CHECK(path_of_uri("file:///C:/", true) == "C:/"); // C: alone would be the current folder there
    for (const char* uri : {"file://server/share/x", "file:////server/share/x", "\\\\server\\share\\x"}) {
        INFO(uri);
        CHECK(path_of_uri(uri, true) == "//server/share/x");
    }
}
