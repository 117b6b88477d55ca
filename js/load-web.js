/**
 * Compiles the module at an address while it arrives, where the server names its type right.
 * @param {URL} url
 */
export async function compileFromWeb(url) {
  const response = await fetch(url, { credentials: 'same-origin' });
  if (!response.ok)
    throw new Error(`The Wasm module could not be loaded: HTTP ${response.status} from ${url.pathname}`);
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
