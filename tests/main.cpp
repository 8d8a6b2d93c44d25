// The main function of tenon_tests.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
