/** For whom the package was bundled without a bundler that takes .wasm files along. */
export const LEFT_OUT =
  'If a bundle has left it out: createLeasegate({ wasm }) says where it is, leasegate/inline carries it inside.';

/**
 * Compiles the module at an address while it arrives, where the server names its type right.
 * @param {URL} url
 */
export async function compileFromWeb(url) {
  const response = await fetch(url, { credentials: 'same-origin' });
  if (!response.ok)
    throw new Error(
      `The Wasm module could not be loaded: HTTP ${response.status} from ${url.pathname}. ${LEFT_OUT}`,
    );
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
