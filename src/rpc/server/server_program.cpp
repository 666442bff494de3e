#include <tasuki/detail/rpc/server/server_program.hpp>

#include <unistd.h>

#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/server/descriptor_limit.hpp"
#include "rpc/server/front_end.hpp"

namespace tasuki::rpc {

int run_server() {
  try {
    raise_descriptor_limit();
    std::string question;
    std::getline(std::cin, question);
    const nlohmann::json asked = nlohmann::json::parse(question);
    const nlohmann::json& page = asked.at("page");
    FrontEnd front_end(
        {asked.at("host"), asked.at("port")}, served_modules_from(asked.at("modules")),
        server_options_from(asked.at("options")), {page.at("folder"), page.at("version")});
    std::cout << nlohmann::json({{"port", front_end.port()}}).dump() << '\n' << std::flush;
    front_end.run(STDIN_FILENO);
    return 0;
  } catch (const std::exception& fault) {
    base::report(fault.what());
    return 1;
  }
}

}  // namespace tasuki::rpc
