// Emscripten's embind prints the address of a type that nobody has bound, to name it in an error. Every type
// is bound here, and printf would be a thirtieth of the download for that one line: these take its place.
// Weak, so that the C library's own are used, and nothing else changes, where a newer one calls them by other
// names.

extern "C" {

// NOLINTBEGIN(cert-dcl50-cpp,cert-dcl37-c,cert-dcl51-cpp,bugprone-reserved-identifier)
[[gnu::weak]] int sprintf(char* to, const char* /*format*/, ...) {
  *to = '\0';
  return 0;
}
[[gnu::weak]] int siprintf(char* to, const char* /*format*/, ...) {
  *to = '\0';
  return 0;
}
[[gnu::weak]] int __small_sprintf(char* to, const char* /*format*/, ...) {
  *to = '\0';
  return 0;
}
// NOLINTEND(cert-dcl50-cpp,cert-dcl37-c,cert-dcl51-cpp,bugprone-reserved-identifier)
}  // extern "C"
