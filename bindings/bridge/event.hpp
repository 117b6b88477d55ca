// An outbound event in the frame.
#pragma once

#include "bindings/base/frame.hpp"
#include "bridge/outbound_event.hpp"

namespace leasegate::bindings {

inline void read(FrameReader& in, OutboundEventView& event) {
  in.text(event.message_id.text);
  in.text(event.type);
  in.blob(event.payload);
}

inline void write(FrameWriter& out, const OutboundEventView& event) {
  out.text(event.message_id.text);
  out.text(event.type);
  out.place(event.payload);
}

}  // namespace leasegate::bindings
