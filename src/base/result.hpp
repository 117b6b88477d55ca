#pragma once

#include <expected>
#include <utility>

#include "base/error.hpp"

namespace leasegate {

/** What a command answers: a value, or an error with nothing changed. */
template <class T>
using Result = std::expected<T, Error>;

using Status = Result<void>;

/** Hands the error of `expression`, if it has one, to the caller of this function. */
#define LEASEGATE_TRY(expression) \
  if (auto status_ = (expression); !status_) return std::unexpected(std::move(status_).error())

}  // namespace leasegate
