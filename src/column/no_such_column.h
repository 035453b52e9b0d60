// The error of asking a schema for a column that it does not have.
#pragma once

#include <string_view>

#include <colonnade/error.h>
#include <colonnade/type.h>

namespace colonnade {

// kNotFound, with the first of the names that there are.
Error no_such_column(const Schema& schema, std::string_view name);

}  // namespace colonnade
