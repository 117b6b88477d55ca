#include "bindings/base/reply.hpp"

namespace leasegate::bindings {

constinit Frame the_frame{};
constinit Frame the_answer{};

void write(FrameWriter& out, const Error& error) {
  out.enumeration(error.code);
  const ErrorShape& shape = shape_of(error.code);
  for (std::size_t i = 0; i < shape.field_count; ++i) {
    const ErrorField& field = shape.fields[i];
    switch (field.kind) {
      case ErrorField::Kind::number:
        out.u64(error.numbers[field.index]);
        break;
      case ErrorField::Kind::word:
        out.text(error.words[field.index]);
        break;
      case ErrorField::Kind::subject:
        out.text(error.subject.view());
        break;
    }
  }
  out.text(message_of(error).view());
}

ReplyStatus reply_error(const Error& error) {
  FrameWriter out;
  write(out, error);
  return 1;
}

}  // namespace leasegate::bindings
